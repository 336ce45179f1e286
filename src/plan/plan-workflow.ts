import type { BlockDefinition, WorkflowDefinition } from "../definition/workflow-definition.ts";
import { collectInSlices, type Report } from "../diagnostic/collect-diagnostics.ts";
import { type Diagnostic, hasErrors } from "../diagnostic/diagnostic.ts";
import { references } from "../expression/references.ts";
import { err, ok, type Result } from "../util/result.ts";
import { atOnce } from "../util/time-slice.ts";
import type { FindWorkflow } from "./block-shape.ts";
import { EdgeBuilder } from "./build-edges.ts";
import { checkCalls, type ExplainMissing, missingWorkflow } from "./check-calls.ts";
import { checkFailureKeys } from "./check-failure-keys.ts";
import { checkFinally } from "./check-finally.ts";
import { checkOverlaps } from "./check-overlaps.ts";
import { checkReferences } from "./check-references.ts";
import { checkSecrets } from "./check-secrets.ts";
import { checkUndoReferences } from "./check-undo-references.ts";
import { checkValues } from "./check-values.ts";
import { effectiveOnFailure, mayRollBack } from "./effective-on-failure.ts";
import { hintAtFound } from "./hint-at-found.ts";
import { hintAtImplicitDependencies } from "./hint-at-implicit-dependencies.ts";
import { hintAtMerges, warnOfRequiredFallbacks } from "./hint-at-merges.ts";
import { type Cycle, findCycles, findUpstream, orderBlocks } from "./order-blocks.ts";
import { noSurroundings, outerEdges, type Surroundings, surroundingsInside } from "./outer-edges.ts";
import { describeEdge, type Edge, type Plan, type PlannedBlock } from "./plan.ts";
import { readsSecrets } from "./secret-references.ts";
import { warnOfIrreversible } from "./warn-of-irreversible.ts";

export interface Planned {
  /** Absent when there are errors. */
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Definition to plan: edges with their reasons, order, and every check that needs more than one block or another workflow.
 * `find` knows the workflows that may be called, `explainMissing` why one that it does not give is not there.
 */
export function planWorkflow(
  definition: WorkflowDefinition,
  find: FindWorkflow,
  explainMissing: ExplainMissing = missingWorkflow,
): Planned {
  return atOnce(planInSlices(definition, find, explainMissing));
}

/** The same as work that can be interrupted: it yields for every block. */
export function* planInSlices(
  definition: WorkflowDefinition,
  find: FindWorkflow,
  explainMissing: ExplainMissing,
): Generator<void, Planned> {
  const { value: plan, diagnostics } = yield* collectInSlices((report) =>
    makePlan(definition, find, explainMissing, report),
  );
  return plan === undefined || hasErrors(diagnostics) ? { diagnostics } : { plan, diagnostics };
}

function* makePlan(
  definition: WorkflowDefinition,
  find: FindWorkflow,
  explainMissing: ExplainMissing,
  report: Report,
): Generator<void, Plan | undefined> {
  const builder = new EdgeBuilder(definition, find, report);

  yield* checkReferences(builder, find, report);
  yield* checkValues(definition, find, report);
  yield* checkCalls(definition, find, explainMissing, report);
  yield* checkSecrets(definition, find, report);
  yield* checkFinally(definition, find, report);
  yield* checkUndoReferences(definition, find, report);

  const plan = yield* buildPlan(builder, noSurroundings, mayRollBack(definition), report);
  if (plan === undefined) return undefined;
  yield;
  yield* checkFailureKeys(plan, report);
  yield* checkOverlaps(plan, find, report);
  yield* warnOfIrreversible(plan, find, report);
  hintAtEdges(plan, report);
  hintAtFound(definition, report);
  return plan;
}

function hintAtEdges(plan: Plan, report: Report): void {
  hintAtImplicitDependencies(plan, report);
  hintAtMerges(plan, report);
  warnOfRequiredFallbacks(plan, report);
  for (const { group } of plan.blocks) if (group !== undefined) hintAtEdges(group, report);
}

/**
 * The plan of a definition that a run has stored, without the checks: a check that came later must not change what the run was. It
 * yields for every block.
 */
export function* planStored(definition: WorkflowDefinition, find: FindWorkflow): Generator<void, Result<Plan, string>> {
  const problems: string[] = [];
  const report: Report = ({ level, message }) => {
    if (level === "error") problems.push(message);
  };
  // For what it tells the blocks: what is declared of their values holds for a stored run too.
  yield* checkValues(definition, find, () => {});
  const plan = yield* buildPlan(
    new EdgeBuilder(definition, find, report),
    noSurroundings,
    mayRollBack(definition),
    report,
  );
  const [first] = problems;
  return plan === undefined || first !== undefined ? err(first ?? "It has no order.") : ok(plan);
}

/** Nothing when the blocks wait for each other. */
function* buildPlan(
  builder: EdgeBuilder,
  surroundings: Surroundings,
  rollsBack: boolean,
  report: Report,
): Generator<void, Plan | undefined> {
  const { definition, indexOf } = builder;
  const declared = yield* builder.declared();
  yield;
  builder.isUpstream = findUpstream(declared, orderBlocks(declared).sorted);
  const edges: Edge[][] = [];
  for (const [index, own] of declared.entries()) {
    yield;
    edges.push([...own, ...builder.fromReferences(index)]);
  }
  const order = orderBlocks(edges);
  const isCyclic = order.sorted.length < definition.blocks.length;
  if (isCyclic) for (const cycle of findCycles(edges, order.sorted)) report(cycleDiagnostic(definition, cycle));
  yield;
  const mainBlocks = definition.blocks.filter(({ isFinally }) => isFinally !== true).length;
  const mainWaves = Math.max(0, ...order.waves.slice(0, mainBlocks).map((wave) => wave + 1));
  const blocks: PlannedBlock[] = [];
  for (const [index, block] of definition.blocks.entries()) {
    yield;
    const inside = builder.inside(index);
    let group: Plan | undefined;
    if (inside !== undefined) {
      const around = surroundingsInside(builder, index, surroundings, declared[index] as Edge[]);
      group = yield* buildPlan(inside, around, rollsBack, report);
      if (group === undefined) return undefined;
    }
    blocks.push({
      definition: block,
      index,
      wave: (order.waves[index] as number) + (index < mainBlocks ? 0 : mainWaves),
      edges: edges[index] as Edge[],
      outerEdges: outerEdges(builder, index, surroundings),
      ...(group === undefined ? {} : { group }),
      mentions: [...builder.mentioned(index)],
      readsStateOf: builder.readsStateOf(index),
      dependents: order.dependents[index] as readonly number[],
      conditionPerElement: mentionsEach(block),
      onFailure: effectiveOnFailure(block, definition, builder.holders()),
      readsSecrets: readsSecrets(block, definition),
    });
  }
  if (isCyclic) return undefined;
  const usedByOutputs = builder.usedByOutputs();
  return { definition, blocks, mainBlocks, indexOf, usedByOutputs, mayRollBack: rollsBack, waves: groupByWave(blocks) };
}

function mentionsEach({ condition, forEach }: BlockDefinition): boolean {
  return (
    forEach !== undefined &&
    condition !== undefined &&
    references(condition.expression).some(({ root }) => root === "each")
  );
}

function groupByWave(blocks: readonly PlannedBlock[]): string[][] {
  const waves: string[][] = [];
  for (const block of blocks) {
    waves[block.wave] ??= [];
    waves[block.wave]?.push(block.definition.id);
  }
  return waves;
}

const mostShownInCycle = 8;

function cycleDiagnostic(definition: WorkflowDefinition, cycle: Cycle): Diagnostic {
  const id = (index: number): string => definition.blocks[index]?.id ?? "";
  const closing = cycle.find(({ edge }) => edge.reason.kind === "reference") ?? cycle.at(-1);
  const place = closing === undefined ? {} : { block: id(closing.from), range: closing.edge.range };
  if (cycle.length === 1) {
    const message = `block '${id(cycle[0]?.from ?? 0)}' depends on itself.`;
    return { code: "cycle", level: "error", message, fix: "Remove it from its own `depends_on`.", ...place };
  }
  const shown = cycle.slice(0, mostShownInCycle);
  const path = [
    ...shown.map(({ from }) => id(from)),
    ...(cycle.length > shown.length ? ["..."] : []),
    id(cycle[0]?.from ?? 0),
  ];
  return {
    code: "cycle",
    level: "error",
    message: `The blocks wait for each other: ${path.join(" -> ")}.`,
    why: `${shown.map(({ from, edge }) => `'${id(from)}' needs '${id(edge.on)}' (${describeEdge(edge.reason)})`).join("; ")}.`,
    fix: "Remove one of these dependencies.",
    ...place,
  };
}
