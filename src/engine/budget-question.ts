import type { Question } from "../block/define-block.ts";
import { roundUsd } from "../block/spend.ts";
import { parseDuration } from "../definition/duration.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { LimitKind } from "./budget-events.ts";
import type { Exceeded, ScopeNode } from "./budget-scope.ts";
import { usedOf } from "./budget-scope.ts";
import { wordAmount, wordExceeded, wordHolder } from "./word-budget.ts";

/** Put to a person, when nothing runs any more in what has the budget: no tool of a model raises one. */
export function askAboutBudget({ path }: ScopeNode, exceeded: Exceeded): Question {
  const { limit, most, used, needs } = exceeded;
  const least = roundUsd(Math.max(used + needs, most));
  const example = limit === "duration" ? "30m, or +10m" : `${least}, or +${roundUsd(least - most) || 1}`;
  const told = wordExceeded({ path, ...exceeded });
  return {
    text: [
      `Not started: ${told}.`,
      `Raise it by writing the new limit (such as ${example}), or write stop (nothing else starts in ${wordHolder(path)}) or rollback ` +
        `(and what ${path === "" ? "it" : wordHolder(path)} has done is undone).`,
    ].join("\n"),
    audience: "human",
  };
}

export type BudgetAnswer = { readonly kind: "raise"; readonly to: number } | { readonly kind: "stop" | "rollback" };

/** What an answer means; the error says what can be written. A raise has to make room for what waits. */
export function readBudgetAnswer(
  scope: ScopeNode,
  { limit, most, needs }: Exceeded,
  answer: unknown,
  now: number,
): Result<BudgetAnswer, string> {
  const text = String(answer).trim().toLowerCase();
  if (text === "stop") return ok({ kind: "stop" });
  if (/^roll[ _-]?back$/.test(text)) return ok({ kind: "rollback" });
  const written = /^(?:raise\s*)?(?:(to|by)\s+|(\+)\s*)?(.+)$/.exec(text);
  const amount = readAmount(limit, written?.[3] ?? "");
  if (amount === undefined) return err(`Write the new limit as ${amountForms[limit]}, or stop or rollback.`);
  const isMore = written?.[1] === "by" || written?.[2] !== undefined;
  const to = roundUsd(isMore ? most + amount : amount);
  const used = usedOf(scope, limit, now);
  const least = roundUsd(used + needs);
  if (to > most && to >= least && (limit !== "duration" || to > used)) return ok({ kind: "raise", to });
  const reason =
    to > most
      ? `${wordAmount(limit, used)} are used and what waits may need ${wordAmount(limit, needs)}`
      : `it is ${wordAmount(limit, most)} now`;
  return err(`${wordAmount(limit, to)} is not enough: ${reason}.`);
}

const amountForms: Readonly<Record<LimitKind, string>> = {
  usd: "dollars, such as 0.75 or +0.25",
  tokens: "a number of tokens, such as 300000 or +100000",
  duration: "a time, such as 30m or +10m",
  blocks: "a number of attempts, such as 60 or +20",
};

function readAmount(limit: LimitKind, text: string): number | undefined {
  if (limit === "duration") {
    const seconds = parseDuration(/^\d+(\.\d+)?$/.test(text) ? Number(text) : text);
    return seconds.ok ? seconds.value : undefined;
  }
  const plain = /^\$?\s*(\d[\d,_]*(?:\.\d+)?)\s*(?:usd|dollars?|\$|tokens?|attempts?|blocks?)?$/.exec(text)?.[1];
  const amount = plain === undefined ? Number.NaN : Number(plain.replaceAll(/[,_]/g, ""));
  if (!Number.isFinite(amount)) return undefined;
  return limit === "usd" || Number.isInteger(amount) ? amount : undefined;
}
