import { type Cost, roundUsd } from "../block/spend.ts";
import type { OnExceeded } from "../definition/workflow-definition.ts";
import type { LimitKind } from "./budget-events.ts";
import { type Limit, type ScopeNode, scopesAbove, usedOf } from "./budget-scope.ts";
import { isInFinally, type RunNode } from "./run-node.ts";

/** A budget around a leaf that has no room for an attempt of it. */
export type Lack =
  /** Something that runs may cost less than it could, or a person is to be asked. */
  | { readonly kind: "waits"; readonly scope: ScopeNode }
  | {
      readonly kind: "exceeded";
      readonly scope: ScopeNode;
      readonly limit: LimitKind;
      readonly most: number;
      readonly used: number;
      readonly needs: number;
      readonly action: OnExceeded;
    };

/**
 * Whether an attempt at this price has to wait, or can't start at all: whatever starts, what is spent and what is reserved together stay
 * within every limit around it. The innermost budget that is exceeded counts. Nothing under `finally` is held back.
 */
export function findLack(leaf: RunNode, cost: Cost, now: number): Lack | undefined {
  if (isInFinally(leaf)) return undefined;
  let waiting: Lack | undefined;
  for (const scope of scopesAbove(leaf)) {
    if (scope.budget.exceeded?.action === "pause") waiting ??= { kind: "waits", scope };
    for (const [kind, limit] of scope.budget.limits) {
      const lack = lackOf(scope, kind, limit, cost, now);
      if (lack?.kind === "exceeded" && scope.budget.exceeded === undefined) return lack;
      waiting ??= lack === undefined ? undefined : { kind: "waits", scope };
    }
  }
  return waiting;
}

function lackOf(
  scope: ScopeNode,
  limit: LimitKind,
  { most, onExceeded }: Limit,
  cost: Cost,
  now: number,
): Lack | undefined {
  const needs = needsOf(limit, cost);
  const used = usedOf(scope, limit, now);
  const reserved = limit === "usd" || limit === "tokens" ? scope.budget.reserved[limit] : 0;
  const isOver = limit === "duration" ? used >= most : roundUsd(used + reserved + needs) > most;
  if (!isOver) return undefined;
  const mayFreeRoom = reserved > 0 && roundUsd(used + needs) <= most;
  if (mayFreeRoom) return { kind: "waits", scope };
  return { kind: "exceeded", scope, limit, most, used, needs, action: onExceeded };
}

function needsOf(limit: LimitKind, cost: Cost): number {
  if (limit === "blocks") return 1;
  return limit === "duration" ? 0 : (cost[limit] ?? 0);
}
