import type { AgentFailure } from "./agent-program.ts";

const overloaded =
  /\b(?:429|503|529)\b|overload|rate.?limit|too many requests|temporarily unavailable|RESOURCE_EXHAUSTED|\bUNAVAILABLE\b/i;

/** A failure as a program words it. Who has no room says so by a status or by one of a few words. */
export function failureOf(message: string, status?: number): AgentFailure {
  const isOverload = status === undefined ? overloaded.test(message) : status === 429 || status >= 500;
  return { message: message.trim(), isOverload };
}

const waits = /\b(?:try again|retry) (?:in|after) ([\d.]+) ?(ms|m|s)/i;
const inMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000 };
const longest = 24 * 3600 * 1000;

/** Providers write into their messages when to come again. */
export function waitIn(message: string): number | undefined {
  const [, amount, unit = "s"] = waits.exec(message) ?? [];
  const wait = Number(amount) * (inMs[unit.toLowerCase()] ?? 1000);
  return Number.isFinite(wait) ? Math.min(Math.ceil(wait), longest) : undefined;
}

/** In every message of a failure for that reason. */
export const overloadedModel = "the model is overloaded";
