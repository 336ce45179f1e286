import { refusedNames, type Step } from "./ast.ts";
import { refusedMessage } from "./read-path.ts";
import { SyntaxFailure } from "./syntax-failure.ts";

/** A step whose key is known from the text; throws for a name that is never read. */
export function checkedStep(key: string | number, start: number, end: number): Step {
  if (!refusedNames.has(String(key))) return { key, start, end };
  throw new SyntaxFailure({ code: "refused-name", message: refusedMessage(String(key)), start, end });
}
