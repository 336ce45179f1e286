import { type GraphBlock, graphOf, type PlanOf } from "../../library/workflow-graph.ts";
import { childKey } from "../../plan/block-shape.ts";
import type { Plan, PlannedBlock } from "../../plan/plan.ts";
import { defined } from "../../util/defined.ts";
import { sizeOf } from "./box-size.ts";
import type { BlockCard, Crumb, Holds, PageEdge } from "./page-records.ts";
import { sayPlanned, tellPlanned } from "./say-card.ts";
import type { WorkflowGraphRecord } from "./workflow-records.ts";

/** One level of a workflow as the page draws it: its own, or what is inside the block at an address. Nothing where there is none. */
export function describeGraph(plan: Plan, planOf: PlanOf, at = ""): WorkflowGraphRecord | undefined {
  const steps = at.split("/").filter((step) => step !== "");
  const level = planAt(plan, planOf, steps);
  if (level === undefined) return undefined;
  const before = steps.map((step) => `${step}/`).join("");
  const { blocks } = graphOf(level, planOf, 1);
  const edges = blocks.flatMap(({ path, condition, edges: waitsFor }) =>
    waitsFor.map(
      ({ on, kind }): PageEdge => ({
        from: before + (blocks[on]?.path ?? ""),
        to: before + path,
        kind: kind === "inner_condition" ? "condition" : kind,
        decided: wantsFailure(condition, blocks[on]?.id ?? "") ? "failed" : "open",
      }),
    ),
  );
  return {
    crumbs: [{ address: "", name: plan.definition.name }, ...crumbsOf(steps)],
    blocks: blocks.map((block, index) => describeCard(block, before, level.blocks[index]?.wave ?? 0)),
    edges,
    widest: Math.max(0, ...level.waves.map((wave) => wave.length)),
    waves: level.waves.length,
  };
}

/** Whether a condition says that it runs only if another block has failed. */
function wantsFailure(condition: string | undefined, id: string): boolean {
  const bare = /^\s*\$\{([^{}]*)\}\s*$/.exec(condition ?? "")?.[1] ?? condition ?? "";
  return bare.split(/\s(?:and|&&)\s/).some((part) => part.replaceAll(/[\s()]/g, "") === `blocks.${id}.failed`);
}

function crumbsOf(steps: readonly string[]): Crumb[] {
  return steps.map((name, index) => ({ address: steps.slice(0, index + 1).join("/"), name }));
}

/** The plan of what is inside the blocks that the steps name, one inside the other. */
function planAt(plan: Plan, planOf: PlanOf, steps: readonly string[]): Plan | undefined {
  let level: Plan | undefined = plan;
  for (const step of steps) {
    const block: PlannedBlock | undefined = level?.blocks[level.indexOf.get(step) ?? -1];
    level = block === undefined ? undefined : (block.group ?? calledPlan(block, planOf));
  }
  return level;
}

function calledPlan({ definition }: PlannedBlock, planOf: PlanOf): Plan | undefined {
  const key = childKey(definition);
  return key === undefined ? undefined : planOf(key);
}

function describeCard(block: GraphBlock, before: string, wave: number): BlockCard {
  const { id, path, type, workflow, condition, for_each, repeat, attempts, leftOut } = block;
  const most = Number(attempts ?? Number.NaN);
  const card: BlockCard = {
    address: before + path,
    name: id,
    type,
    standing: "to_come",
    started_at: null,
    duration_ms: 0,
    attempt: 0,
    ...(Number.isInteger(most) ? { most_attempts: most } : {}),
    holds: holdsOf(block),
    ...(block.finally ? { is_finally: true } : {}),
    ...(block.allow_failure ? { allows_failure: true } : {}),
    ...defined({ workflow, condition, for_each, repeat: repeat?.max }),
    ...(block.asks ? { asks: true } : {}),
    ...(leftOut?.why === "deeper" ? { blocks_inside: leftOut.blocks } : {}),
    wave,
    spans: [],
  };
  const size = sizeOf(card, true);
  return { ...card, size, ...defined({ mark: marks[type] }), says: sayPlanned(card), about: tellPlanned(card) };
}

const marks: Readonly<Record<string, NonNullable<BlockCard["mark"]>>> = {
  Shell: "command",
  LLMCall: "model",
  Agent: "model",
  HttpCall: "web",
  Prompt: "person",
  Wait: "time",
};

function holdsOf({ for_each, repeat, workflow, leftOut }: GraphBlock): Holds {
  if (for_each !== undefined || repeat !== undefined) return "loop";
  if (workflow !== undefined) return "workflow";
  return leftOut === undefined ? "none" : "group";
}
