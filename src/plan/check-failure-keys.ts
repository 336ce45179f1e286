import { undoOf } from "../block/define-block.ts";
import { writtenInputs } from "../definition/load-block-inputs.ts";
import type { BlockDefinition } from "../definition/workflow-definition.ts";
import { type Report, reportIn } from "../diagnostic/collect-diagnostics.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { effectiveEffects, undoesItself } from "./effective-effects.ts";
import type { Plan, PlannedBlock } from "./plan.ts";

type Problem = Omit<Diagnostic, "range" | "block">;

/** Keys about failing and undoing that mean nothing where they stand, or contradict each other. Yields for every block. */
export function* checkFailureKeys(plan: Plan, report: Report, holders: readonly PlannedBlock[] = []): Generator<void> {
  for (const block of plan.blocks) {
    yield;
    const { definition, group } = block;
    const inBlock = reportIn(definition.id, report);
    for (const problem of problemsOf(block, plan, holders)) inBlock({ ...problem, range: definition.range });
    if (group !== undefined) yield* checkFailureKeys(group, report, [block, ...holders]);
  }
}

function* problemsOf(block: PlannedBlock, plan: Plan, holders: readonly PlannedBlock[]): Generator<Problem> {
  const { definition } = block;
  const { id, onFailure, allowFailure, commitPoint, retry } = definition;
  const isUnderFinally = [block, ...holders].some((at) => at.definition.isFinally === true);
  const loop = holders.find(({ definition: { forEach, repeat } }) => forEach !== undefined || repeat !== undefined);
  if (onFailure !== undefined && onFailure !== "continue") {
    if (isUnderFinally) yield underFinally(id, `on_failure: ${onFailure}`, "A failure there leads to nothing else.");
    else if (allowFailure === true) yield neverFires(id, onFailure);
  }
  if (commitPoint === true && isUnderFinally) {
    yield underFinally(id, "commit_point", "What it does is undone with the rest.");
  } else if (commitPoint === true && loop !== undefined) yield inLoop(id, loop.definition.id);
  if (retry?.restore === true) yield* restoreProblems(definition);
  yield* writesProblems(block, plan, holders);
}

function underFinally(id: string, key: string, why: string): Problem {
  return {
    code: "not-under-finally",
    level: "error",
    message: `block '${id}' is under \`finally\`, where \`${key}\` means nothing: nothing is rolled back from there.`,
    why,
    fix: `Remove \`${key}\`.`,
  };
}

function neverFires(id: string, onFailure: string): Problem {
  return {
    code: "on-failure-without-effect",
    level: "warning",
    message: `block '${id}' may fail, so \`on_failure: ${onFailure}\` never happens.`,
    fix: "Remove `allow_failure` or `on_failure`.",
  };
}

function inLoop(id: string, loop: string): Problem {
  return {
    code: "commit-point-in-loop",
    level: "error",
    message: `block '${id}' can't be a commit point: it runs in every pass of '${loop}'.`,
    why: "The passes before would be left as they are, and those beside it undone in part.",
    fix: `Write \`commit_point: true\` on '${loop}': it holds when all passes have succeeded.`,
  };
}

function* restoreProblems({ id, type, effects, inputs }: BlockDefinition): Generator<Problem> {
  if (effects === "none") {
    yield {
      code: "restore-without-effects",
      level: "error",
      message: `block '${id}' says \`effects: none\`, so nobody knows what \`retry.restore\` would have to undo.`,
      fix: "Remove one of them.",
    };
  }
  const keepsFiles = type.behaviour.kind !== "leaf" || type.effects === true;
  if (keepsFiles || undoOf(type, writtenInputs(inputs)) === "automatic") return;
  yield {
    code: "restore-without-effect",
    level: "warning",
    message: `block '${id}': \`retry.restore\` has no effect on a block of type ${type.type}, which changes no files.`,
    fix: "Remove `restore`.",
  };
}

/** Somebody who names files relies on them being looked at. */
function* writesProblems(
  { definition, onFailure }: PlannedBlock,
  plan: Plan,
  holders: readonly PlannedBlock[],
): Generator<Problem> {
  const { id, writes, effects } = definition;
  if (writes === undefined) return;
  const undoneAround = plan.mayRollBack || holders.some((at) => undoesItself(at.definition, at.onFailure));
  const effective = effectiveEffects(definition, { onFailure, undoneAround, observeAsked: false });
  if (effective === "observe") return;
  const code = "writes-without-observe";
  if (effective === "isolated") {
    const message = `block '${id}' says \`effects: isolated\`, which keeps all that its command writes: \`writes\` adds nothing.`;
    yield { code, level: "warning", message, fix: "Remove `writes`." };
  } else if (effects === "none") {
    const message = `block '${id}' says \`effects: none\`, so nobody looks at the files that \`writes\` names.`;
    yield { code, level: "error", message, fix: "Write `effects: observe`, or remove `writes`." };
  } else {
    yield {
      code,
      level: "warning",
      message: `Nobody looks at the files that \`writes\` of block '${id}' names.`,
      why: "A command is observed where `effects: observe` or a rollback asks for it, or the run as a whole is.",
      fix: "Add `effects: observe`.",
    };
  }
}
