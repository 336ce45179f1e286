import { Budget, defaultLimits } from "../expression/budget.ts";
import { EvaluationFailure } from "../expression/evaluation-problem.ts";
import { searchPattern } from "../expression/search-pattern.ts";

/** Whether a pattern is found in a text. One that has been looked at by `explainPattern` is valid. */
export function findPattern(text: string, pattern: string): boolean {
  return searchPattern(text, pattern, freshCall());
}

/** What is wrong with a pattern, if anything. */
export function explainPattern(pattern: string): string | undefined {
  try {
    searchPattern("", pattern, freshCall());
    return undefined;
  } catch (error) {
    if (error instanceof EvaluationFailure) return error.problem.message;
    throw error;
  }
}

function freshCall(): Parameters<typeof searchPattern>[2] {
  return { start: 0, end: 0, budget: new Budget({ ...defaultLimits, work: Number.POSITIVE_INFINITY }) };
}
