import { scanTemplate, type Token } from "./scan-template.ts";

/**
 * In its strict mode MiniJinja refuses a variable that is not defined where it is printed, tested or looped over; by filters, as an
 * argument, in a list or in a comparison it is taken for an empty one all the same. So every variable is written as `(x or x)`,
 * which is `x`, and tests it.
 */
export function guardVariables(source: string): string {
  let guarded = "";
  let copied = 0;
  for (const segment of scanTemplate(source)) {
    if (segment.kind !== "tag") continue;
    const isStatement = source.startsWith("{%", segment.start);
    for (const { start, end } of variablesIn(isStatement ? readBy(segment.tokens) : segment.tokens)) {
      const variable = source.slice(start, end);
      guarded += `${source.slice(copied, start)}(${variable} or ${variable})`;
      copied = end;
    }
  }
  return guarded + source.slice(copied);
}

/** What a statement reads: neither its keyword nor the names that it gives something to. */
function readBy(tokens: readonly Token[]): readonly Token[] {
  const keyword = tokens.findIndex(({ kind }) => kind === "name");
  const rest = tokens.slice(keyword + 1);
  switch (tokens[keyword]?.text) {
    case "if":
    case "elif":
    case "with":
    case "do":
      return rest;
    case "for":
      return tokensAfter("in", rest);
    case "set":
      return tokensAfter("=", rest);
    case "call":
      return rest[0]?.text === "(" ? tokensAfter(")", rest) : rest;
    default:
      return [];
  }
}

function tokensAfter(text: string, tokens: readonly Token[]): readonly Token[] {
  const index = tokens.findIndex((token) => token.text === text);
  return index === -1 ? [] : tokens.slice(index + 1);
}

const keywords: ReadonlySet<string> = new Set(
  "and else false False if in is none None not or recursive true True".split(" "),
);
/** What makes a name a function, a part of a longer path or the name of an argument; or its absence what is asked for. */
const continuations: ReadonlySet<string> = new Set(["(", "[", ".", "=", "is"]);

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Names with their attributes, as in `a.b` and `a['b']`, whose absence nobody has asked for. */
function* variablesIn(tokens: readonly Token[]): Generator<Place> {
  for (let index = 0; index < tokens.length; index++) {
    const { kind, text, start } = tokens[index] as Token;
    if (kind !== "name" || keywords.has(text) || isOther(tokens, index)) continue;
    const first = index;
    index = endOfPath(tokens, index);
    if (continuations.has(tokens[index + 1]?.text ?? "") || hasDefault(tokens, first, index)) continue;
    yield { start, end: (tokens[index] as Token).end };
  }
}

/** The name of an attribute, of a filter or of a test. */
function isOther(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.text ?? "";
  return [".", "|", "is"].includes(before) || (before === "not" && tokens[index - 2]?.text === "is");
}

/** Written out, attributes can be asked for twice; what is computed in brackets would grow with every bracket around it. */
function endOfPath(tokens: readonly Token[], first: number): number {
  for (let last = first; ; ) {
    const [mark, key, close] = tokens.slice(last + 1, last + 4);
    if (mark?.text === "." && key?.kind === "name") last += 2;
    else if (mark?.text === "[" && /^(string|number)$/.test(key?.kind ?? "") && close?.text === "]") last += 3;
    else return last;
  }
}

/** `x|default(...)`, also with `x` in brackets, and `y|default(x)`. */
function hasDefault(tokens: readonly Token[], first: number, last: number): boolean {
  const isDefault = (index: number): boolean =>
    tokens[index]?.text === "|" && /^(d|default)$/.test(tokens[index + 1]?.text ?? "");
  let around = 0;
  while (tokens[first - 1 - around]?.text === "(" && tokens[last + 1 + around]?.text === ")") around++;
  return isDefault(last + 1 + around) || (tokens[first - 1]?.text === "(" && isDefault(first - 3));
}
