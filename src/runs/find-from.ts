import { suggestName } from "../diagnostic/did-you-mean.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import { pathOf } from "../engine/address.ts";
import type { RunState } from "../engine/state.ts";
import { childKey } from "../plan/block-shape.ts";
import type { Plan, PlannedBlock } from "../plan/plan.ts";
import { err, ok, type Result } from "../util/result.ts";

type PlanOf = (key: string) => Plan | undefined;

/** The address that a rerun begins with, if the text that is run now can have a block there: nothing would run for one that is gone. */
export function findFrom(
  path: string,
  { nodes, started }: RunState,
  plan: Plan,
  planOf: PlanOf,
): Result<string, Problem> {
  const known = findGap(path.split("/"), "", plan, planOf);
  if (known === undefined) return ok(path);
  const block = pathOf(path);
  if (block !== path && findGap(block.split("/"), "", plan, planOf) === undefined) {
    const message = `A rerun can't begin with an attempt of a block, such as '${path}'.`;
    return err(problem("unknown-block", message, `Name the block itself: '${block}'.`));
  }
  const message = `${started.workflow} has no block '${path}'${nodes.has(path) ? " any more" : ""}.`;
  return err(problem("unknown-block", message, suggestName(path, known, "block")));
}

/**
 * Where an address leads nowhere, those that there are instead. Elements of a loop, and workflows that are chosen during the run, are
 * known only then.
 */
function findGap(steps: readonly string[], around: string, plan: Plan, planOf: PlanOf): readonly string[] | undefined {
  const [key = "", ...inside] = steps;
  const block = plan.blocks[plan.indexOf.get(key) ?? -1];
  if (block === undefined) return [...plan.indexOf.keys()].map((id) => `${around}${id}`);
  const { forEach, repeat, type } = block.definition;
  const isLoop = forEach !== undefined || repeat !== undefined;
  const rest = isLoop ? inside.slice(1) : inside;
  if (rest.length === 0) return undefined;
  const holder = [key, ...inside.slice(0, inside.length - rest.length)].join("/");
  if (type.behaviour.kind === "leaf") return [`${around}${holder}`];
  const inner = planInside(block, planOf);
  return inner === undefined ? undefined : findGap(rest, `${around}${holder}/`, inner, planOf);
}

function planInside({ group, definition }: PlannedBlock, planOf: PlanOf): Plan | undefined {
  if (group !== undefined) return group;
  const key = childKey(definition);
  return key === undefined ? undefined : planOf(key);
}
