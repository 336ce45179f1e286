import type { BlockDefinition, WorkflowDefinition } from "../definition/workflow-definition.ts";
import { collectDiagnostics, type Report } from "../diagnostic/collect-diagnostics.ts";
import { type Diagnostic, hasErrors } from "../diagnostic/diagnostic.ts";
import { references } from "../expression/references.ts";
import type { FindWorkflow } from "./block-shape.ts";
import { EdgeBuilder } from "./build-edges.ts";
import { checkCalls } from "./check-calls.ts";
import { checkReferences } from "./check-references.ts";
import { findCycle, findUpstream, orderBlocks } from "./order-blocks.ts";
import { describeEdge, type Edge, type Plan, type PlannedBlock } from "./plan.ts";

export interface Planned {
  /** Absent when there are errors. */
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Definition to plan: edges with their reasons, order, and every check that needs more than one block or another workflow.
 * `find` knows the workflows that may be called, `names` what they are called, for suggestions.
 */
export function planWorkflow(
  definition: WorkflowDefinition,
  find: FindWorkflow,
  names: () => Iterable<string> = () => [],
): Planned {
  const { value: plan, diagnostics } = collectDiagnostics((report) => makePlan(definition, find, names, report));
  return plan === undefined || hasErrors(diagnostics) ? { diagnostics } : { plan, diagnostics };
}

function makePlan(
  definition: WorkflowDefinition,
  find: FindWorkflow,
  names: () => Iterable<string>,
  report: Report,
): Plan | undefined {
  const indexOf = new Map(definition.blocks.map((block, index) => [block.id, index]));
  const builder = new EdgeBuilder(definition, indexOf, find, report);

  checkReferences(definition, indexOf, builder, find, report);
  checkCalls(definition, find, names, report);

  const declared = builder.declared();
  const { sorted } = orderBlocks(declared);
  if (sorted.length < definition.blocks.length) {
    report(cycleDiagnostic(definition, findCycle(declared, sorted)));
    return undefined;
  }
  const isUpstream = findUpstream(declared, sorted);
  const edges = declared.map((own, index) => [...own, ...builder.fromReferences(index, isUpstream)]);
  const order = orderBlocks(edges);
  if (order.sorted.length < definition.blocks.length) {
    report(cycleDiagnostic(definition, findCycle(edges, order.sorted)));
    return undefined;
  }
  hintAtConditionalRequirements(definition, edges, report);

  const blocks = definition.blocks.map(
    (block, index): PlannedBlock => ({
      definition: block,
      index,
      wave: order.waves[index] as number,
      edges: edges[index] as Edge[],
      mentions: [...builder.mentioned(index)],
      dependents: order.dependents[index] as readonly number[],
      conditionPerElement: mentionsEach(block),
    }),
  );
  return { definition, blocks, indexOf, waves: groupByWave(blocks) };
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

function cycleDiagnostic(definition: WorkflowDefinition, cycle: readonly { from: number; edge: Edge }[]): Diagnostic {
  const id = (index: number): string => definition.blocks[index]?.id ?? "";
  const shown = cycle.slice(0, mostShownInCycle);
  const path = [
    ...shown.map(({ from }) => id(from)),
    ...(cycle.length > shown.length ? ["..."] : []),
    id(cycle[0]?.from ?? 0),
  ];
  const closing = cycle.find(({ edge }) => edge.reason.kind === "reference") ?? cycle.at(-1);
  return {
    code: "cycle",
    level: "error",
    message: `The blocks wait for each other: ${path.join(" -> ")}.`,
    why: `${shown.map(({ from, edge }) => `'${id(from)}' needs '${id(edge.on)}' (${describeEdge(edge.reason)})`).join("; ")}.`,
    fix: "Remove one of these dependencies.",
    ...(closing === undefined ? {} : { range: closing.edge.range }),
  };
}

function hintAtConditionalRequirements(
  definition: WorkflowDefinition,
  edges: readonly (readonly Edge[])[],
  report: Report,
): void {
  for (const [index, block] of definition.blocks.entries()) {
    for (const edge of edges[index] as readonly Edge[]) {
      const dependency = definition.blocks[edge.on];
      if (!edge.required || edge.conditionDecides || dependency?.condition === undefined) continue;
      report({
        code: "requires-conditional-block",
        level: "hint",
        message: `block '${block.id}' is skipped whenever the condition of '${dependency.id}' is false.`,
        why: "A required dependency that is skipped skips what depends on it; a merge after exclusive branches would never run.",
        fix: `Write \`{ block: ${dependency.id}, required: false }\` if it should run all the same.`,
        range: edge.range,
      });
    }
  }
}
