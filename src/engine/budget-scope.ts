import { type Cost, roundUsd, type Spend } from "../block/spend.ts";
import type { OnExceeded } from "../definition/workflow-definition.ts";
import type { Value } from "../expression/value.ts";
import { type ActiveTime, createActiveTime } from "./active-time.ts";
import type { BudgetExceeded, BudgetRaised, LimitKind, RunBudget } from "./budget-events.ts";
import { type Ending, stopped } from "./execution.ts";
import { cancelReason, isUnderFinally, type RunNode } from "./run-node.ts";
import { wordExceeded } from "./word-budget.ts";

/**
 * What something may cost with all that is inside it, and how much of that is kept free for attempts that run. What has been spent is
 * in the record of the node. All of it is a fold over events, as the rest of a run's state is.
 */
export interface BudgetScope {
  readonly limits: Map<LimitKind, Limit>;
  /** For attempts that run. */
  readonly reserved: { usd: number; tokens: number };
  /** Attempts that have started. */
  started: number;
  readonly active: ActiveTime;
  exceeded: Exceeded | undefined;
}

export interface Limit {
  readonly most: number;
  readonly onExceeded: OnExceeded;
}

export interface Exceeded extends Pick<BudgetExceeded, "limit" | "most" | "used" | "needs" | "block" | "action"> {
  /** What is left undone ends with it. */
  readonly message: string;
}

/** Gives the node its budget, if it has one: of two limits of one kind the tighter holds. One that it has had before goes on. */
export function openScope(node: RunNode, budgets: readonly (RunBudget | undefined)[]): void {
  if (node.budget !== undefined) return;
  const limits = new Map<LimitKind, Limit>();
  for (const budget of budgets) {
    for (const [kind, most] of limitsOf(budget)) {
      if (most < (limits.get(kind)?.most ?? Number.POSITIVE_INFINITY))
        limits.set(kind, { most, onExceeded: budget?.onExceeded ?? "pause" });
    }
  }
  if (limits.size === 0) return;
  node.budget = {
    limits,
    reserved: { usd: 0, tokens: 0 },
    started: 0,
    active: createActiveTime(),
    exceeded: undefined,
  };
  showBudget(node);
}

function* limitsOf(budget: RunBudget | undefined): Generator<readonly [LimitKind, number]> {
  const { maxCostUsd, maxTokens, maxDuration, maxBlocks } = budget ?? {};
  if (maxCostUsd !== undefined) yield ["usd", roundUsd(maxCostUsd)];
  if (maxTokens !== undefined) yield ["tokens", maxTokens];
  if (maxDuration !== undefined) yield ["duration", maxDuration];
  if (maxBlocks !== undefined) yield ["blocks", maxBlocks];
}

/** What an attempt may cost is kept free in every budget around it. */
export function reserve(leaf: RunNode, cost: Cost | undefined, isNew: boolean): void {
  leaf.reserved = cost;
  for (const scope of scopesAbove(leaf)) {
    if (isNew) scope.budget.started++;
    change(scope, cost, 1);
  }
}

/** The attempt runs no longer: what it has cost is spent, and the rest is free. */
export function release(leaf: RunNode): void {
  const { reserved } = leaf;
  if (reserved === undefined) return;
  leaf.reserved = undefined;
  for (const scope of scopesAbove(leaf)) change(scope, reserved, -1);
}

function change(node: ScopeNode, cost: Cost | undefined, sign: 1 | -1): void {
  const { reserved } = node.budget;
  reserved.usd = roundUsd(reserved.usd + sign * (cost?.usd ?? 0));
  reserved.tokens += sign * (cost?.tokens ?? 0);
  showBudget(node);
}

export function exceed(node: RunNode, event: BudgetExceeded): void {
  const { limit, most, used, needs, block, action } = event;
  const scope = scopeOf(node);
  scope.exceeded = { limit, most, used, needs, block, action, message: wordExceeded(event) };
  showBudget(node);
}

export function raise(node: RunNode, { limit, to }: BudgetRaised): void {
  const scope = scopeOf(node);
  scope.limits.set(limit, { most: to, onExceeded: scope.limits.get(limit)?.onExceeded ?? "pause" });
  scope.exceeded = undefined;
  showBudget(node);
}

function scopeOf({ budget, path }: RunNode): BudgetScope {
  if (budget === undefined) throw new Error(`'${path}' has no budget.`);
  return budget;
}

export type ScopeNode = RunNode & { readonly budget: BudgetScope };

/** What holds the node and has a budget, innermost first. */
export function* scopesAbove(node: RunNode): Generator<ScopeNode> {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.budget !== undefined) yield at as ScopeNode;
}

/** How much of a limit is used up, without what is reserved; of time, in seconds. */
export function usedOf({ record, budget }: ScopeNode, kind: LimitKind, now: number): number {
  const spend = record.metadata.spend as Spend | undefined;
  switch (kind) {
    case "usd":
      return spend?.usd ?? 0;
    case "tokens":
      return spend?.tokens ?? 0;
    case "blocks":
      return budget.started;
    case "duration": {
      const { usedMs, running, since } = budget.active;
      return (usedMs + (running > 0 ? Math.max(0, now - since) : 0)) / 1000;
    }
  }
}

/** Why nothing starts in a node any more: a budget around it is exceeded, and nobody is asked. What is under `finally` always starts. */
export function budgetStop(node: RunNode): Exceeded | undefined {
  for (let at = node; at.parent !== undefined; at = at.parent) {
    if (isUnderFinally(at)) return undefined;
    const exceeded = at.parent.budget?.exceeded;
    if (exceeded?.action === "stop") return exceeded;
  }
  return undefined;
}

/** How something ends whose budget was exceeded, where nobody raised it, whatever became of the blocks in it. */
export function exceededEnding(node: RunNode): Ending | undefined {
  const { exceeded } = node.budget ?? {};
  if (exceeded === undefined || exceeded.action === "pause" || cancelReason(node) !== undefined) return undefined;
  return stopped({ cause: "budget", message: exceeded.message });
}

/** The record tells what is left to be had. */
function showBudget({ record, budget }: RunNode): void {
  if (budget === undefined) return;
  const { limits, reserved, started, exceeded } = budget;
  const shown: Record<string, Value> = {};
  for (const [kind, name] of shownNames) {
    const limit = limits.get(kind);
    if (limit !== undefined) shown[name] = limit.most;
  }
  const actions = new Set([...limits.values()].map(({ onExceeded }) => onExceeded));
  shown.on_exceeded = [...actions].join(", ");
  shown.reserved = { ...reserved };
  if (limits.has("blocks")) shown.blocks_started = started;
  if (exceeded !== undefined) {
    const { limit, block, needs, action } = exceeded;
    shown.exceeded = { limit, block, needs, action };
  }
  record.metadata.budget = shown;
}

const shownNames: readonly (readonly [LimitKind, string])[] = [
  ["usd", "max_cost_usd"],
  ["tokens", "max_tokens"],
  ["duration", "max_duration"],
  ["blocks", "max_blocks"],
];
