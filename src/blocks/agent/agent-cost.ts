import type { Cost, ModelPrice, Prices } from "../../block/spend.ts";
import { costOf } from "../model/model-cost.ts";
import type { AgentProgram, AgentReport } from "./agent-program.ts";

/** What is known of what an agent has cost: as it says itself, else by the prices of its model. Nothing where it has used nothing. */
export function knownCost(
  program: AgentProgram,
  { usage, costUsd, model }: AgentReport,
  asked: string | undefined,
  prices: Prices,
): Cost | undefined {
  const { tokens = 0 } = costOf(usage ?? {}, undefined);
  // Nothing is the price of nothing only: some programs say it where they don't know.
  if (costUsd !== undefined && (costUsd > 0 || tokens === 0)) return { usd: costUsd, tokens };
  return usage === undefined ? undefined : costOf(usage, priceOf(program, asked ?? model, prices));
}

function priceOf({ provider }: AgentProgram, model: string | undefined, prices: Prices): ModelPrice | undefined {
  const price = model === undefined ? undefined : prices.of(provider === undefined ? model : `${provider}/${model}`);
  if (price === undefined) return undefined;
  // Many calls are summed up, and how long the prompt of each was nobody tells.
  const { longPrompts: _, ...ordinary } = price;
  return ordinary;
}

/**
 * What is told of an attempt. Where its price is not known, or it was ended before it told all that it has used, it counts as what it may
 * cost at most, so that a budget around it holds; without such an amount nobody knows.
 */
export function chargesOf(known: Cost | undefined, hasTold: boolean, most: number | undefined): readonly Cost[] {
  const { usd, tokens = 0 } = known ?? {};
  if (hasTold && usd !== undefined) return [{ usd, tokens }];
  if (most !== undefined) return [{ usd: Math.max(usd ?? 0, most), tokens }];
  return usd === undefined ? [{ tokens }] : [{ usd, tokens }, {}];
}
