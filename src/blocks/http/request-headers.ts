import { formatValue, quoteText } from "../../expression/format-value.ts";
import type { Value } from "../../expression/value.ts";
import { err, ok, type Result } from "../../util/result.ts";

/** A request as HTTP frames it is Frond's to write: two opinions on where it ends make two requests of one. */
const framing: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const nameCharacters = /^[\w!#$%&'*+.^`|~-]+$/;
const valueCharacters = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Why a header can't be sent. Values are never shown: they may be credentials. */
export function headerNameProblem(name: string): string | undefined {
  if (!nameCharacters.test(name)) return `${quoteText(name)} can't be the name of a header.`;
  if (framing.has(name.toLowerCase())) return `header '${name}' is set by Frond itself: remove it.`;
  return undefined;
}

export function headerValueProblem(name: string, value: Value): string | undefined {
  const text = formatValue(value);
  if (/[\r\n]/.test(text)) {
    return `header '${name}' holds a line break, which would begin another header. \${trim(...)} removes one at its end.`;
  }
  return valueCharacters.test(text) ? undefined : `header '${name}' holds a character that no header can hold.`;
}

/** Names in lower case, values as text; or the first problem. */
export function readHeaders(written: Readonly<Record<string, Value>>): Result<Record<string, string>, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(written)) {
    const problem = headerNameProblem(name) ?? headerValueProblem(name, value);
    if (problem !== undefined) return err(problem);
    const known = name.toLowerCase();
    if (Object.hasOwn(headers, known)) return err(`header '${name}' is there twice.`);
    headers[known] = formatValue(value);
  }
  return ok(headers);
}
