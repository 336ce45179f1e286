import { Budget, defaultLimits } from "./budget.ts";
import { EvaluationFailure } from "./evaluation-problem.ts";
import type { Call } from "./function-definition.ts";
import { matchPattern, searchPattern } from "./search-pattern.ts";

/** Whether a pattern is found in a text. One that has been looked at by `explainPattern` is valid. */
export function findPattern(text: string, pattern: string): boolean {
  return searchPattern(text, pattern, freshCall(Number.POSITIVE_INFINITY));
}

/** What is wrong with a pattern, if anything. */
export function explainPattern(pattern: string): string | undefined {
  try {
    searchPattern("", pattern, freshCall(Number.POSITIVE_INFINITY));
    return undefined;
  } catch (error) {
    if (error instanceof EvaluationFailure) return error.problem.message;
    throw error;
  }
}

/**
 * The texts that don't match a pattern as a whole, by their index; or undefined when there is too much text to find out without
 * keeping everybody waiting.
 */
export function findUnmatched(texts: readonly string[], pattern: string): readonly number[] | undefined {
  try {
    const matches = matchPattern(pattern, freshCall(defaultLimits.work));
    return texts.flatMap((text, index) => (matches(text) ? [] : [index]));
  } catch (error) {
    if (error instanceof EvaluationFailure && error.code === "limit") return undefined;
    throw error;
  }
}

function freshCall(work: number): Call {
  return { start: 0, end: 0, budget: new Budget({ ...defaultLimits, work }) };
}
