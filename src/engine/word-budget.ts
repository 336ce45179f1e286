import { formatUsd } from "../block/spend.ts";
import { formatSeconds } from "../definition/duration.ts";
import type { BudgetExceeded, LimitKind } from "./budget-events.ts";

/** An amount of what a budget limits, for people. */
export function wordAmount(kind: LimitKind, amount: number): string {
  switch (kind) {
    case "usd":
      return formatUsd(amount);
    case "tokens":
      return `${amount.toLocaleString("en-US")} ${amount === 1 ? "token" : "tokens"}`;
    case "duration":
      return formatSeconds(amount);
    case "blocks":
      return `${amount.toLocaleString("en-US")} ${amount === 1 ? "attempt" : "attempts"}`;
  }
}

/** Whose budget: `the run`, `'deploy'`. */
export function wordHolder(path: string): string {
  return path === "" ? "the run" : `'${path}'`;
}

type Told = Pick<BudgetExceeded, "path" | "limit" | "most" | "used" | "needs" | "block">;

/** A clause that tells what did not fit. */
export function wordExceeded({ path, limit, most, used, needs, block }: Told): string {
  const budget = `the budget of ${wordHolder(path)} allows ${wordAmount(limit, most)}`;
  const spent = `${wordAmount(limit, used)} ${limit === "blocks" ? "have started" : "are used"}`;
  if (limit === "duration" || limit === "blocks" || needs === 0) return `${budget}, and ${spent}`;
  return `${budget}, ${spent}, and '${block}' may need ${wordAmount(limit, needs)}`;
}
