import { addCost, type Cost, type Prices, roundUsd, type Spend } from "../block/spend.ts";
import type { BlockCall } from "./prepare-block.ts";
import type { RunNode } from "./run-node.ts";

/** The most that an attempt may cost: as its author says, or as its type can tell. */
export function estimateCost({ block }: RunNode, { cost, input }: BlockCall, prices: Prices): Cost | undefined {
  const estimate = cost ?? block?.definition.type.estimate?.(input, prices);
  return estimate?.usd === undefined ? estimate : { ...estimate, usd: roundUsd(estimate.usd) };
}

/** What an attempt that goes on may still cost. */
export function restOf(whole: Cost | undefined, spent: Spend | undefined): Cost | undefined {
  if (whole === undefined || spent === undefined) return whole;
  const { usd, tokens } = whole;
  return {
    ...(usd === undefined ? {} : { usd: roundUsd(Math.max(0, usd - spent.usd)) }),
    ...(tokens === undefined ? {} : { tokens: Math.max(0, tokens - spent.tokens) }),
  };
}

export interface Charged {
  /** What its code told, since its last question or sleep. */
  readonly told: Spend | undefined;
  /** What was recorded of the attempt before. */
  readonly before: Spend | undefined;
  /** What its author says it costs. */
  readonly declared: Cost | undefined;
  /** Whether its code was called. */
  readonly hasRun: boolean;
  /** Whether it may have cost more than it told: it was ended early, or a part of what it told can't be read. */
  readonly mayBeMore: boolean;
}

/**
 * What an attempt that has ended is charged with: what it told. One that told nothing has cost what its author says; where nobody knows
 * the price of what it told, or whether that is all, it is at least that.
 */
export function chargeFor({ told, before, declared, hasRun, mayBeMore }: Charged): Spend | undefined {
  if (declared === undefined || !hasRun) return told;
  if (told === undefined) return before === undefined ? addCost(undefined, declared) : undefined;
  const { usd = 0, tokens = 0 } = restOf(declared, before) ?? {};
  const isPriced = told.unpriced !== true || declared.usd !== undefined;
  const leastUsd = mayBeMore || told.unpriced === true ? usd : 0;
  return {
    usd: Math.max(told.usd, leastUsd),
    tokens: mayBeMore ? Math.max(told.tokens, tokens) : told.tokens,
    ...(isPriced ? {} : { unpriced: true }),
  };
}
