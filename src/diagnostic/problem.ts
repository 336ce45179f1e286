import type { Diagnostic } from "./diagnostic.ts";

/** Why a use case can't do what it is asked, as a diagnostic without a place in a text. */
export type Problem = Omit<Diagnostic, "range"> & { readonly level: "error" };

export function problem(code: string, message: string, fix?: string): Problem {
  return { code, level: "error", message, ...(fix === undefined ? {} : { fix }) };
}
