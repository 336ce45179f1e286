import { formatValue } from "../../expression/format-value.ts";
import { parseEmbedded, startsReference } from "../../expression/parse-template.ts";
import { isList, type Value } from "../../expression/value.ts";
import type { Vars } from "../../expression/vars.ts";
import { err, ok, type Result } from "../../util/result.ts";

/**
 * Splits a command into words by the shell's quoting rules and nothing else of the shell: no variables, no globs, no pipes. A
 * value is always part of one word; a list that is a whole word becomes one word per element. `valueAt` knows nothing of a
 * reference in what a shell would take for a comment.
 */
export function splitWords(
  text: string,
  valueAt: (start: number) => Value | undefined,
  vars?: Vars,
): Result<readonly string[], string> {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < text.length; ) {
    const character = text[at] as string;
    if (startsReference(text, at, vars)) {
      const embedded = parseEmbedded(text, at, { filters: ["raw"], vars });
      if (!embedded.ok) return err(embedded.error.message);
      const { end } = embedded.value;
      const value = valueAt(at);
      if (value === undefined)
        return err(`${text.slice(at, end)} stands in a comment, but no shell reads this command.`);
      const whole = word === undefined && quote === "" && (end === text.length || /\s/.test(text[end] as string));
      if (whole && isList(value)) words.push(...value.map(formatValue));
      else word = (word ?? "") + formatValue(value);
      at = end;
      continue;
    }
    if (text.startsWith("$$", at)) {
      const escaped = startsReference(text, at + 1, vars)
        ? parseEmbedded(text, at + 1, { filters: ["raw"], vars })
        : undefined;
      const end = escaped?.ok ? escaped.value.end : at + 2;
      word = (word ?? "") + text.slice(escaped?.ok ? at + 1 : at, end);
      at = end;
      continue;
    }
    at++;
    if (quote === "'" || quote === '"') {
      if (character === quote) quote = "";
      else if (quote === '"' && character === "\\" && '"\\$`'.includes(text[at] ?? "-"))
        word = (word ?? "") + text[at++];
      else word = (word ?? "") + character;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= "";
    } else if (character === "\\" && at < text.length) word = (word ?? "") + text[at++];
    else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  if (quote !== "") return err(`The command has a ${quote} that is never closed.`);
  if (word !== undefined) words.push(word);
  return words.length === 0 ? err("The command is empty.") : ok(words);
}
