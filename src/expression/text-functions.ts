import { posix } from "node:path";
import { fail } from "./evaluation-problem.ts";
import { textFinder } from "./find-text.ts";
import { formatValue, quoteText } from "./format-value.ts";
import { type Call, defineFunction, type FunctionDefinition, list, text } from "./function-definition.ts";
import { searchPattern } from "./search-pattern.ts";
import type { Value } from "./value.ts";

const workPerMatch = 40;

export const textFunctions: readonly FunctionDefinition[] = [
  defineFunction("lower", { text }, "string", "The text in lower case.", ([value], call) =>
    transform(value as string, call, (source) => source.toLowerCase()),
  ),
  defineFunction("upper", { text }, "string", "The text in upper case.", ([value], call) =>
    transform(value as string, call, (source) => source.toUpperCase()),
  ),
  defineFunction("trim", { text }, "string", "The text without white space at both ends.", ([value], call) =>
    transform(value as string, call, (source) => source.trim()),
  ),
  defineFunction(
    "split",
    { text, "separator?": text },
    "list",
    "The parts of a text between separators; without one, its words.",
    ([value, separator], call) => split(value as string, separator as string | undefined, call),
  ),
  defineFunction(
    "join",
    { list, "separator?": text },
    "string",
    "The items of a list as one text, with the separator between them.",
    ([items, separator = ""], call) => join(items as readonly Value[], separator as string, call),
  ),
  defineFunction(
    "replace",
    { text, old: text, new: text },
    "string",
    "The text with every occurrence of old replaced by new; old is plain text, not a pattern.",
    ([value, old, replacement], call) => replace(value as string, old as string, replacement as string, call),
  ),
  defineFunction(
    "startswith",
    { text, prefix: text },
    "boolean",
    "Whether the text starts so.",
    ([value, prefix], call) => {
      call.budget.spend((prefix as string).length, call);
      return (value as string).startsWith(prefix as string);
    },
  ),
  defineFunction(
    "endswith",
    { text, suffix: text },
    "boolean",
    "Whether the text ends so.",
    ([value, suffix], call) => {
      call.budget.spend((suffix as string).length, call);
      return (value as string).endsWith(suffix as string);
    },
  ),
  defineFunction(
    "basename",
    { path: text },
    "string",
    "The last part of a path: 'a/b.txt' gives 'b.txt'.",
    ([path], call) => transform(path as string, call, posix.basename),
  ),
  defineFunction(
    "dirname",
    { path: text },
    "string",
    "A path without its last part: 'a/b.txt' gives 'a'.",
    ([path], call) => transform(path as string, call, posix.dirname),
  ),
  defineFunction(
    "regex_match",
    { text, pattern: text },
    "boolean",
    "Whether the pattern (RE2 syntax) is found anywhere in the text; ^ and $ tie it to the ends.",
    ([value, pattern], call) => searchPattern(value as string, pattern as string, call),
  ),
];

/** For what at most triples the length, as changing the case of some letters does. */
function transform(source: string, call: Call, change: (source: string) => string): string {
  call.budget.spend(source.length, call);
  const result = change(source);
  call.budget.text(result.length, call);
  return result;
}

function split(source: string, separator: string | undefined, call: Call): Value {
  call.budget.spend(source.length, call);
  if (separator === "") return fail(call, "invalid-argument", "split() wants a separator that is not empty.");
  const parts = separator === undefined ? words(source, call) : piecesBetween(source, separator, call);
  call.budget.items(parts.length, call);
  return parts;
}

function words(source: string, call: Call): string[] {
  const found: string[] = [];
  for (const match of source.matchAll(/\S+/g)) {
    found.push(match[0]);
    call.budget.spend(workPerMatch, call);
  }
  return found;
}

function piecesBetween(source: string, separator: string, call: Call): string[] {
  const find = textFinder(separator);
  const pieces: string[] = [];
  let from = 0;
  for (let at = find(source, 0); at !== -1; at = find(source, from)) {
    pieces.push(source.slice(from, at));
    from = at + separator.length;
    call.budget.spend(workPerMatch, call);
  }
  pieces.push(source.slice(from));
  return pieces;
}

function join(items: readonly Value[], separator: string, call: Call): string {
  let length = separator.length * Math.max(0, items.length - 1);
  const texts: string[] = [];
  for (const item of items) {
    call.budget.measure(item, call);
    const formatted = formatValue(item);
    length += formatted.length;
    texts.push(formatted);
  }
  call.budget.text(length, call);
  return texts.join(separator);
}

function replace(source: string, old: string, replacement: string, call: Call): string {
  if (old === "")
    return fail(call, "invalid-argument", `replace() can't look for an empty text in ${quoteText(source)}.`);
  call.budget.spend(source.length, call);
  const pieces = piecesBetween(source, old, call);
  call.budget.text(source.length + (pieces.length - 1) * (replacement.length - old.length), call);
  return pieces.join(replacement);
}
