import type { RunNode } from "./run-node.ts";

/**
 * How long something in a workflow has been running, by the times in the run's events: what a time limit or a budget has used up already
 * when another process goes on with the run. Nobody knows how long something ran on before its engine died, so that counts only
 * up to the last time anything in the workflow began or stopped.
 */
export interface ActiveTime {
  usedMs: number;
  /** Leaves inside that run now. */
  running: number;
  /** Since when something has been running. */
  since: number;
}

export function createActiveTime(): ActiveTime {
  return { usedMs: 0, running: 0, since: 0 };
}

/** A leaf has begun to run (1) or has stopped running (-1). */
export function countActive(leaf: RunNode, change: 1 | -1, at: string): void {
  for (const active of activeTimesAbove(leaf)) {
    const now = Date.parse(at);
    if (active.running > 0) active.usedMs += Math.max(0, now - active.since);
    active.running += change;
    active.since = now;
  }
}

/** A leaf that counted as running was interrupted at an unknown time before. */
export function dropActive(leaf: RunNode, at: string): void {
  for (const active of activeTimesAbove(leaf)) {
    active.running--;
    active.since = Date.parse(at);
  }
}

/** Those of time limits, which begin anew with every attempt of what they are for, and those of budgets. */
function* activeTimesAbove(leaf: RunNode): Generator<ActiveTime> {
  for (let node = leaf.parent; node !== undefined; node = node.parent) {
    const active = node.inside.kind === "workflow" ? node.inside.active : undefined;
    if (active !== undefined) yield active;
    if (node.budget !== undefined) yield node.budget.active;
  }
}
