import type { Cost, Prices } from "../block/spend.ts";
import type { Value } from "../expression/value.ts";
import { askAboutBudget, readBudgetAnswer } from "./budget-question.ts";
import { budgetStop, type ScopeNode, scopesAbove } from "./budget-scope.ts";
import { estimateCost, restOf } from "./charge.ts";
import type { EarlyEnds } from "./early-ends.ts";
import type { EventRecorder } from "./event-recorder.ts";
import { findLack } from "./find-lack.ts";
import { nodeAt } from "./node-at.ts";
import type { BlockCall } from "./prepare-block.ts";
import type { ProcessGate } from "./process-gate.ts";
import { isInFinally, questionOf, type RunNode } from "./run-node.ts";
import type { Scheduler } from "./scheduler.ts";
import type { RunState } from "./state.ts";
import type { TimeLimits } from "./time-limits.ts";

interface Parts {
  readonly state: RunState;
  readonly recorder: EventRecorder;
  readonly scheduler: Scheduler;
  readonly early: EarlyEnds;
  readonly gate: ProcessGate;
  readonly limits: TimeLimits;
  readonly prices: Prices;
}

/** What becomes of an attempt that is about to start. */
export type Admission =
  /** It starts at once: what it may cost is kept free with the event that says so. */
  | { readonly kind: "admitted"; readonly reserved: Cost | undefined }
  /** It has been put aside, and comes again. */
  | { readonly kind: "held" }
  | { readonly kind: "refused"; readonly message: string };

/**
 * Lets attempts start where every budget around them has room. Invariant: between the look at the budgets and the event that reserves
 * nothing else happens, so whatever runs in parallel, what is spent and reserved together stays within every limit at every start.
 */
export class Budgets {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** `isNew`: an attempt begins; otherwise one goes on that was paused, and has cost something already. */
  admit(node: RunNode, call: BlockCall, isNew: boolean): Admission {
    const { recorder, scheduler, early, gate, limits, prices } = this.#parts;
    const whole = estimateCost(node, call, prices);
    const cost = isNew ? whole : restOf(whole, node.attemptSpend);
    const unpriced = whole !== undefined && whole.usd === undefined ? findPricedScope(node) : undefined;
    if (unpriced !== undefined) return { kind: "refused", message: needsPrice(unpriced) };
    const lack = findLack(node, cost ?? {}, Date.parse(recorder.now()));
    if (lack === undefined) return { kind: "admitted", reserved: cost };
    const stop = budgetStop(node);
    if (stop !== undefined) return { kind: "refused", message: `Not enough is left: ${stop.message}.` };
    gate.leave(node);
    if (lack.kind === "exceeded") early.exceedBudget(lack.scope, { ...lack, block: node.path });
    if (lack.kind === "exceeded" && lack.action !== "pause") {
      // It is skipped, or withdrawn, like everything else that is left.
      scheduler.setAside(node);
      scheduler.retry(node);
    } else {
      scheduler.park(node, lack.scope);
      limits.pauseAround(node, (around) => scheduler.isQuiet(around));
    }
    return { kind: "held" };
  }

  /** A person is asked about each exceeded budget once nothing that it is for runs any more. */
  askWhereIdle(): void {
    const { state, recorder, scheduler } = this.#parts;
    for (const node of state.exceeded) {
      const scope = node as ScopeNode;
      const { exceeded, active } = scope.budget;
      if (exceeded === undefined || node.ended || active.running > 0 || this.#isAsked(node)) continue;
      const first = scheduler.firstParked(node);
      if (first === undefined) continue;
      recorder.pause(first, askAboutBudget(scope, exceeded), "budget", 0, { scope: node.path });
    }
  }

  /** The answer has been checked, and is on record. */
  decide(path: string, answer: Value, by: string): void {
    const { state, recorder, early } = this.#parts;
    const scope = nodeAt(state, path) as ScopeNode;
    const { exceeded } = scope.budget;
    if (exceeded === undefined) return;
    const at = recorder.now();
    const read = readBudgetAnswer(scope, exceeded, answer, Date.parse(at));
    if (!read.ok) throw new Error(read.error);
    if (read.value.kind !== "raise") return early.exceedBudget(scope, { ...exceeded, action: read.value.kind, by });
    const { limit, most: from } = exceeded;
    recorder.append({ type: "budget-raised", at, path, limit, from, to: read.value.to, by });
  }

  #isAsked(scope: RunNode): boolean {
    for (const asking of this.#parts.state.questions.values()) {
      if (questionOf(asking)?.scope === scope.path) return true;
    }
    return false;
  }
}

/** The innermost budget around a node that limits money. */
function findPricedScope(node: RunNode): ScopeNode | undefined {
  if (isInFinally(node)) return undefined;
  for (const scope of scopesAbove(node)) if (scope.budget.limits.has("usd")) return scope;
  return undefined;
}

function needsPrice({ path }: ScopeNode): string {
  const holder = path === "" ? "the run" : `'${path}'`;
  return (
    `Nobody knows what it may cost, and the budget of ${holder} limits costs. ` +
    "Write the most that an attempt costs on the block: `cost: { usd: 0.05 }`."
  );
}
