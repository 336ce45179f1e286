import { formatUsd, type Spend } from "../block/spend.ts";
import type { OverBudget } from "./over-budget.ts";

/** `$0.02, 900 tokens`; a price that nobody knows is said to be unknown. */
function wordSpend({ usd, tokens, unpriced }: Spend): string {
  const priced =
    unpriced === true ? (usd > 0 ? `${formatUsd(usd)} and an unknown price` : "unknown price") : formatUsd(usd);
  const counted = tokens === 0 ? [] : [`${tokens.toLocaleString("en-US")} ${tokens === 1 ? "token" : "tokens"}`];
  return [...(usd === 0 && tokens > 0 && unpriced !== true ? [] : [priced]), ...counted].join(", ");
}

/** `, over its budget of $0.10`. */
export function wordOverBudget({ max_cost_usd: usd, max_tokens: tokens }: OverBudget = {}): string {
  const limits = [
    ...(usd === undefined ? [] : [formatUsd(usd)]),
    ...(tokens === undefined ? [] : [`${tokens.toLocaleString("en-US")} tokens`]),
  ];
  return limits.length === 0 ? "" : `, over its budget of ${limits.join(" and ")}`;
}

/** One that cost nothing is not worth a word. */
export function wordCost(spend: Spend | undefined): string | undefined {
  if (spend === undefined || (spend.usd === 0 && spend.tokens === 0 && spend.unpriced !== true)) return undefined;
  return wordSpend(spend);
}
