import type { Spend } from "../block/spend.ts";
import { isMap, type Value } from "../expression/value.ts";

export interface OverBudget {
  readonly max_cost_usd?: number;
  readonly max_tokens?: number;
}

/** Which limits something has cost more than. */
export function findOverBudget({ usd, tokens }: Spend, budget: Value | undefined): OverBudget | undefined {
  if (budget === undefined || !isMap(budget)) return undefined;
  const { max_cost_usd: mostUsd, max_tokens: mostTokens } = budget;
  const over = {
    ...(typeof mostUsd === "number" && usd > mostUsd ? { max_cost_usd: mostUsd } : {}),
    ...(typeof mostTokens === "number" && tokens > mostTokens ? { max_tokens: mostTokens } : {}),
  };
  return Object.keys(over).length === 0 ? undefined : over;
}
