import type { EmbeddedExpression, Span, SyntaxFault } from "../../expression/ast.ts";
import { parseEmbedded, startsReference } from "../../expression/parse-template.ts";
import type { Vars } from "../../expression/vars.ts";
import type { Result } from "../../util/result.ts";

/** A `${...}` of ours in a command's text. */
export interface Reference extends Span {
  /** `$${inputs.v}`: the author wants the text `${inputs.v}`. */
  readonly escaped: boolean;
  readonly parsed: Result<EmbeddedExpression, SyntaxFault>;
}

/** After so many that can't be read no more are looked for. */
const mostBroken = 50;

/** All of them, also those in comments: which are values the syntax tree tells. */
export function findReferences(text: string, vars?: Vars): Reference[] {
  const found: Reference[] = [];
  let broken = 0;
  for (let at = text.indexOf("${"); at !== -1 && broken < mostBroken; ) {
    let next = at + 2;
    if (startsReference(text, at, vars)) {
      const parsed = parseEmbedded(text, at, { filters: ["raw"], vars });
      const escaped = isEscaped(text, at);
      if (!parsed.ok) broken += 1;
      const end = parsed.ok ? parsed.value.end : text.indexOf("}", at) + 1;
      if (end > 0) found.push({ start: escaped ? at - 1 : at, end, escaped, parsed });
      next = Math.max(end, next);
    }
    at = text.indexOf("${", next);
  }
  return found;
}

/** Whether an odd number of dollar signs stands before it; two are the id of the shell's process. */
function isEscaped(text: string, at: number): boolean {
  const first = skipBack(text, at, "$");
  const backslashes = first - skipBack(text, first, "\\");
  const escaping = at - first - (backslashes % 2);
  return escaping > 0 && escaping % 2 === 1;
}

function skipBack(text: string, from: number, character: string): number {
  let at = from;
  while (text.charAt(at - 1) === character) at -= 1;
  return at;
}

/** The text with a shell variable of the same length for each reference, so that every offset stays right. */
export function maskReferences(text: string, references: readonly Reference[]): string {
  let masked = "";
  let copied = 0;
  for (const { start, end } of references) {
    masked += `${text.slice(copied, start)}\${${"F".padEnd(end - start - 3, "_")}}`;
    copied = end;
  }
  return masked + text.slice(copied);
}
