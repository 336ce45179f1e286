import { type Problem, problem } from "../diagnostic/problem.ts";
import { openPattern } from "../expression/search-pattern.ts";
import { err, ok, type Result } from "../util/result.ts";

/** Where in a line what is looked for begins; -1 when it is not there. */
export type LineTest = (line: string) => number;

export function holdsText(text: string): LineTest {
  return (line) => line.indexOf(text);
}

/** Instructions of a pattern times bytes of text: some seconds, in slices. */
const mostWork = 500_000_000;

/** Nothing where the text means the same as a pattern, or is none. */
export function matchesPattern(text: string, bytes: number): Result<LineTest | undefined, Problem> {
  if (!/[\\^$.|?*+()[\]{}]/.test(text)) return ok(undefined);
  const pattern = openPattern(text);
  if (pattern === undefined) return ok(undefined);
  if (pattern.size * bytes <= mostWork) return ok(pattern.indexIn);
  const message = `Looking for ${JSON.stringify(text)} in ${bytes} bytes would take too long.`;
  return err(problem("too-much-text", message, "Look for a plain text, or at one block (path)."));
}
