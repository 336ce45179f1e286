import { scanTemplate, type Token } from "./scan-template.ts";

/**
 * In its strict mode MiniJinja refuses a variable that is not defined where it is printed, tested or looped over; filters and some
 * operators take it for an empty one all the same. There it is written as `(x or x)`, which is `x`, and tests it.
 */
export function guardVariables(source: string): string {
  let guarded = "";
  let copied = 0;
  for (const segment of scanTemplate(source)) {
    if (segment.kind !== "tag") continue;
    for (const { start, end } of unguardedVariables(expressionTokens(segment.tokens))) {
      const variable = source.slice(start, end);
      guarded += `${source.slice(copied, start)}(${variable} or ${variable})`;
      copied = end;
    }
  }
  return guarded + source.slice(copied);
}

/** What is assigned by `set`, and a filter of its own, are no variables that must be there. */
function expressionTokens(tokens: readonly Token[]): readonly Token[] {
  const keyword = tokens.find(({ kind }) => kind === "name")?.text;
  if (keyword === "filter") return [];
  if (keyword !== "set") return tokens;
  const assignment = tokens.findIndex(({ text }) => text === "=");
  return assignment === -1 ? [] : tokens.slice(assignment);
}

const keywords: ReadonlySet<string> = new Set(
  "and else elif false False for if in is none None not or recursive set true True".split(" "),
);
const lenientBefore: ReadonlySet<string> = new Set(["~", "==", "!=", "not"]);
const lenientAfter: ReadonlySet<string> = new Set(["|", "~", "==", "!="]);

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Names with their attributes, as in `a.b`, where nobody else would ask whether they are defined. */
function* unguardedVariables(tokens: readonly Token[]): Generator<Place> {
  for (let index = 0; index < tokens.length; index++) {
    const first = tokens[index] as Token;
    const before = tokens[index - 1];
    if (first.kind !== "name" || keywords.has(first.text)) continue;
    if (before !== undefined && (".|".includes(before.text) || isTest(tokens, index))) continue;
    while (tokens[index + 1]?.text === "." && tokens[index + 2]?.kind === "name") index += 2;
    const after = tokens[index + 1];
    const isLenient =
      lenientAfter.has(after?.text ?? "") || (lenientBefore.has(before?.text ?? "") && !isContinued(after));
    const isAskedFor = after?.text === "|" && /^(d|default)$/.test(tokens[index + 2]?.text ?? "");
    if (isLenient && !isAskedFor) yield { start: first.start, end: (tokens[index] as Token).end };
  }
}

/** `x is defined`, `x is not defined`. */
function isTest(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.text;
  return before === "is" || (before === "not" && tokens[index - 2]?.text === "is");
}

/** The variable is only a part of what the operator before it applies to, or its absence is what is asked for. */
function isContinued(after: Token | undefined): boolean {
  return after !== undefined && ["(", "[", ".", "is"].includes(after.text);
}
