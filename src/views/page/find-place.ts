import type { Problem } from "../../diagnostic/problem.ts";
import { childPath, pathOf } from "../../engine/address.ts";
import { isLoop, type RunNode } from "../../engine/run-node.ts";
import type { RunState } from "../../engine/state.ts";
import { childKey } from "../../plan/block-shape.ts";
import type { Plan, PlannedBlock } from "../../plan/plan.ts";
import { findBlock } from "../../runs/find-block.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { holdsOf } from "./block-card.ts";
import type { Holds } from "./page-records.ts";

/** What an address leads to: something that has a record, or what is known to come inside of what has not begun. */
export interface Place {
  readonly path: string;
  readonly node?: RunNode;
  /** Absent for the run itself. */
  readonly block?: PlannedBlock;
  readonly holds: Holds;
}

/** Attempts in the address are left to whoever made the state. */
export function findPlace(state: RunState, address: string): Result<Place, Problem> {
  const path = pathOf(address);
  const node = state.nodes.get(path);
  if (node !== undefined) return ok(placeOf(state, node));
  const planned = findPlanned(state, path);
  if (planned !== undefined) return ok(planned);
  const found = findBlock(state, path);
  return found.ok ? ok(placeOf(state, found.value)) : err(found.error);
}

function placeOf(state: RunState, node: RunNode): Place {
  const { path, block, element } = node;
  if (block === undefined) return { path, node, holds: "workflow" };
  return { path, node, block, holds: holdsOf(state, block, element !== undefined) };
}

function findPlanned(state: RunState, path: string): Place | undefined {
  const end = path.lastIndexOf("/");
  if (end < 0) return undefined;
  const around = findPlace(state, path.slice(0, end));
  if (!around.ok) return undefined;
  const plan = planInside(state, around.value);
  const block = plan?.blocks.find(({ definition }) => childPath(path.slice(0, end), definition.id) === path);
  return block === undefined ? undefined : { path, block, holds: holdsOf(state, block, false) };
}

/** The plan of the blocks inside of something, where that is known; a loop holds passes. */
export function planInside(state: RunState, { node, block }: Place): Plan | undefined {
  if (node?.inside.kind === "workflow") return node.inside.plan;
  if (block === undefined || node?.inside.kind === "loop") return undefined;
  const { definition } = block;
  const isPass = node?.element !== undefined;
  if (
    !isPass &&
    (node === undefined ? (definition.forEach ?? definition.repeat) : isLoop(node) || undefined) !== undefined
  )
    return undefined;
  if (block.group !== undefined) return block.group;
  const key = childKey(definition);
  if (key === undefined || !state.definitions.has(key)) return undefined;
  const plan = state.plans(key);
  return plan.ok ? plan.value : undefined;
}
