import type { Span } from "./ast.ts";
import type { Token, WordToken } from "./tokens.ts";

export interface HyphenatedName extends Span {
  readonly text: string;
}

/**
 * `my-long-name` as its tokens stand, `at` being the one after the first word. Not a name, but a subtraction, when there is space
 * around the hyphen or when what follows it can be a value.
 */
export function readHyphenated(
  tokens: readonly Token[],
  at: number,
  first: WordToken,
  canBeValue: (word: string) => boolean,
): HyphenatedName | undefined {
  const name = { text: first.text, start: first.start, end: first.end };
  for (let index = at; ; index += 2) {
    const hyphen = tokens[index];
    const word = tokens[index + 1];
    if (hyphen?.kind !== "symbol" || hyphen.text !== "-" || word?.kind !== "word") break;
    if (hyphen.start !== name.end || word.start !== hyphen.end || canBeValue(word.text)) break;
    name.text += `-${word.text}`;
    name.end = word.end;
  }
  return name.end === first.end ? undefined : name;
}
