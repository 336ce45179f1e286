import type { Advice } from "./advice.ts";
import type { Diagnostic } from "./diagnostic.ts";

/** Why a use case can't do what it is asked, as a diagnostic without a place in a text. */
export type Problem = Omit<Diagnostic, "range"> & { readonly level: "error" };

/** `next` is what to do about it: as words that fit every reader, or as advice that each door words. */
export function problem(code: string, message: string, next?: string | Advice): Problem {
  const found = { code, level: "error", message } as const;
  if (next === undefined) return found;
  return typeof next === "string" ? { ...found, fix: next } : { ...found, advice: next };
}
