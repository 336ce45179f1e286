import * as z from "zod";
import type { BlockContext, BlockResult, BlockType, Question } from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import type { Value } from "../expression/value.ts";
import type { Conflict } from "./files/find-restores.ts";
import { pathInput, unsafeInput } from "./files/path-inputs.ts";
import { type ConflictRule, conflictRules, planRestore, type RestorePlan, settledRules } from "./files/plan-restore.ts";
import { reportProgress } from "./files/report-progress.ts";
import { stateInput } from "./files/state-input.ts";
import { restoreRefs } from "./git/take-back-refs.ts";

const inputs = () =>
  z.strictObject({
    run: z.string().optional().describe("The run whose changes are taken back, for who reads this"),
    files: z
      .array(
        z.strictObject({
          path: pathInput("The path"),
          expect: stateInput().describe("What the run left there; anything else is a conflict"),
          restore: stateInput().describe("What lay there before, by the bytes that the run has kept"),
          on_conflict: z.enum(settledRules).optional().describe("For this path, instead of what is said for all"),
        }),
      )
      .default([])
      .describe("Paths and their states: missing, file MODE SHA256 SIZE, directory MODE or link TARGET; in any order"),
    moves: z
      .array(
        z.strictObject({
          from: pathInput("Where it lies now"),
          to: pathInput("Where it lay"),
          expect: stateInput().optional().describe("What is moved; anything else is a conflict"),
        }),
      )
      .default([])
      .describe("What goes back as a whole, with all that is in it; before the files"),
    refs: z
      .array(
        z.strictObject({
          repository: pathInput("The git directory"),
          name: z.string().min(1).describe("In full, such as refs/heads/main, or HEAD"),
          expect: z.string().min(1).describe("Where the run left it: the id of a commit, or missing"),
          restore: z.string().min(1).describe("Where it was before"),
        }),
      )
      .default([])
      .describe("Refs of git that the run has moved; after the files"),
    on_conflict: z
      .enum(conflictRules)
      .default("keep")
      .describe(
        "What becomes of a path that somebody else has changed since. keep: it stays; merge: texts whose changes are apart get both; " +
          "ask: a question; force: it is restored, and what lies there is kept so that it can be taken back",
      ),
    unsafe: unsafeInput(),
  });

const outputs = () =>
  z.strictObject({
    restored: z.number().int().describe("How many paths, moves and refs were restored"),
    already: z.number().int().describe("How many were as they are to be"),
    conflicts: z
      .array(
        z.strictObject({
          path: z.string(),
          reason: z.string(),
          found: z.string(),
          forcible: z.literal(true).optional(),
        }),
      )
      .describe(
        "Those that were not restored, each with its path, the reason, what is there, and whether force would restore it",
      ),
  });

const defaultOutputs = { restored: 0, already: 0, conflicts: [] };

export const restoreFiles: BlockType = defineLeaf({
  type: "RestoreFiles",
  summary: "Takes back what a run has changed; what others have changed since stays. Undo plans consist of it.",
  inputs,
  outputs,
  defaultOutputs,
  capabilities: ["reads files", "writes files"],
  undo: "automatic",
  onInterrupted: "rerun",
  run: (input, context) => restore(input, input.on_conflict, context),
  resume: (input, answer, context) => restore(input, ruleFrom(answer), context),
});

type Inputs = InputsOf<typeof inputs>;

async function restore(input: Inputs, rule: ConflictRule, context: BlockContext): Promise<BlockResult> {
  return planRestore(input, rule, context, async (plan) => {
    if (rule === "ask" && plan.forcible > 0) return { kind: "paused", question: ask(plan) };
    return makeRestore(plan, rule, context);
  });
}

async function makeRestore(plan: RestorePlan, rule: ConflictRule, context: BlockContext): Promise<BlockResult> {
  const { changes, refs, restored, already, conflicts } = plan;
  const told = { restored, already, conflicts: conflicts.map((conflict) => ({ ...conflict })) };
  const isAll = conflicts.length === 0 && refs.length === 0;
  let left: readonly Conflict[] = [];
  if (changes.length > 0) {
    // Running it again restores what is left; with conflicts that is also how it comes to fail.
    const rerun = isAll ? "unclear" : "always";
    const onMade = reportProgress(context, changes.length, "changes made");
    const problem = await context.files.change(changes, told, { rerun, goOn: true, onMade });
    if (problem !== undefined) left = await plan.findLeft(problem.message);
  }
  const moved = await restoreRefs(context, refs, { force: rule === "force" });
  const refConflicts = moved.conflicts.map(({ name, reason, found }) => ({
    path: name,
    reason,
    found: found ?? "missing",
  }));
  const all = [...conflicts, ...left, ...refConflicts];
  const outputs = {
    restored: restored - left.length + moved.restored,
    already: already + moved.already,
    conflicts: all.map((conflict) => ({ ...conflict })),
  };
  if (all.length === 0) return { kind: "succeeded", outputs };
  return { kind: "failed", message: explain(all, outputs.restored), outputs };
}

function explain(conflicts: readonly Conflict[], restored: number): string {
  const count = conflicts.length === 1 ? "1 path was" : `${conflicts.length} paths were`;
  return `${count} not restored (${restored} restored): ${name(conflicts)}`;
}

const mostNamed = 5;

function name(conflicts: readonly Conflict[], separator = "; "): string {
  const named = conflicts.slice(0, mostNamed).map(({ path, reason }) => `'${path}': ${reason}`);
  const more = conflicts.length - mostNamed;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(separator);
}

function ask({ conflicts, mergeable }: RestorePlan): Question {
  const canMerge = mergeable > 0;
  const lines = [
    conflicts.length === 1
      ? "A path is not as the run left it:"
      : `${conflicts.length} paths are not as the run left them:`,
    name(conflicts, "\n"),
    "What should happen to them?",
    "keep: leave them as they are. force: restore them; what lies there now is kept, so that this can be undone.",
    ...(canMerge ? [`merge: take back only what the run changed, in ${mergeable} of them; leave the others.`] : []),
  ];
  return {
    text: lines.join("\n"),
    audience: "llm",
    choices: canMerge ? ["keep", "merge", "force"] : ["keep", "force"],
  };
}

function ruleFrom(answer: Value): ConflictRule {
  return answer === "force" || answer === "merge" ? answer : "keep";
}
