import { didYouMean, nearestName, suggestName } from "../diagnostic/did-you-mean.ts";
import { defined } from "../util/defined.ts";
import { type Expression, type PathNode, refusedNames, type Span, type SyntaxProblem, writtenRoots } from "./ast.ts";
import { adviseOnCall, adviseOnRoot, adviseOnVariable, adviseOnWord, functionMeant } from "./foreign-names.ts";
import { quoteText } from "./format-value.ts";
import type { FunctionDefinition } from "./function-definition.ts";
import { functions } from "./functions.ts";
import { refusedMessage, writePath } from "./read-path.ts";
import { staticPath } from "./references.ts";

interface Slip {
  readonly code: string;
  readonly message: string;
  readonly fix: string;
  /** The operator of this language that it stands for. */
  readonly means?: string;
}

function operatorSlip(text: string, fix: string, means?: string): Slip {
  return { code: "unknown-operator", message: `'${text}' is not an operator here.`, fix, ...defined({ means }) };
}

const slips: ReadonlyMap<string, Slip> = new Map([
  ["=", operatorSlip("=", "Use == to compare.", "==")],
  ["=>", operatorSlip("=>", "Use >= for greater or equal.", ">=")],
  ["=<", operatorSlip("=<", "Use <= for less or equal.", "<=")],
  ["=!", operatorSlip("=!", "Use != to compare.", "!=")],
  ["===", operatorSlip("===", "Use == to compare.", "==")],
  ["!==", operatorSlip("!==", "Use != to compare.", "!=")],
  ["<>", operatorSlip("<>", "Use != to compare.", "!=")],
  ["&&", operatorSlip("&&", "Use and.", "and")],
  ["&", operatorSlip("&", "Use and.", "and")],
  ["||", operatorSlip("||", "Use or.", "or")],
  ["!", operatorSlip("!", "Use not.", "not")],
  ["**", operatorSlip("**", "There are no powers; use *.")],
  ["//", operatorSlip("//", "Use int(a / b) for whole division.")],
  ["?", operatorSlip("?", "Write a if condition else b.")],
  ["??", operatorSlip("??", "Use default(a, b).")],
  [":-", operatorSlip(":-", "Use default(a, b).")],
  [
    "|",
    {
      code: "filter",
      message: "Filters with | are not part of this language.",
      fix: "Use a function instead: default(a, b) for a | default(b), lower(a) for a | lower.",
    },
  ],
  [
    "{",
    {
      code: "unexpected-symbol",
      message: "'{' has no meaning in an expression.",
      fix: "For a value write ${inputs.name}; build maps in YAML.",
    },
  ],
  ["$", { code: "unexpected-symbol", message: "'$' needs braces.", fix: "Write ${inputs.name}, or inputs.name." }],
  [
    "$${",
    {
      code: "unexpected-symbol",
      message: "$${ writes a literal ${ in text; here, in an expression, it has no meaning.",
      fix: "Use ${ for a value, or put the text in quotes.",
    },
  ],
  ["`", { code: "unexpected-symbol", message: "Text can't be quoted with `.", fix: "Use ' or \" for text." }],
  ...["“", "”", "‘", "’"].map((quote): [string, Slip] => [
    quote,
    { code: "unexpected-symbol", message: `${quote} is a typographic quote.`, fix: "Use ' or \" for text." },
  ]),
]);

/** The operator of this language that a symbol of another one stands for. */
export function operatorMeant(text: string): string | undefined {
  return slips.get(text)?.means;
}

/** What is wrong with a symbol that can't stand where it does. */
export function unexpectedSymbol(text: string, wanted: string, span: Span): SyntaxProblem {
  const slip = slips.get(text);
  if (slip !== undefined) {
    const { code, message, fix } = slip;
    return { code, message, fix, start: span.start, end: span.end };
  }
  const message = `${nameSymbol(text)} can't stand here; expected ${wanted}.`;
  return { code: "unexpected-symbol", message, start: span.start, end: span.end };
}

function nameSymbol(text: string): string {
  if (/^[!-~]+$/.test(text)) return `'${text}'`;
  const code = (text.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
  return `The character U+${code}`;
}

/** What is worth naming where nothing is near: few places can read the others. */
const rootsToName: readonly string[] = ["inputs", "metadata", "blocks", "each", "vars"];

/** A word where a value was expected: the wrong name of a root, or text without its quotes. */
export function unknownWord(word: string, isWhole: boolean, span: Span): SyntaxProblem {
  const nearest = nearestName(word, writtenRoots);
  const other = nearest === undefined ? adviseOnVariable(word) : `Or did you mean '${nearest}'?`;
  const quoted = `Quote it if it is text: ${quoteText(word)}.${other === undefined ? "" : ` ${other}`}`;
  return {
    code: "unknown-root",
    message: `'${word}' stands here without quotes and is no known name.`,
    fix: adviseOnWord(word, isWhole) ?? quoted,
    start: span.start,
    end: span.end,
  };
}

/** A word that is read from but is no root; `step` is the name after it, if there is one. */
export function unknownRoot(word: string, step: string, span: Span): SyntaxProblem {
  if (refusedNames.has(word)) {
    const fix = `Known: ${rootsToName.join(", ")}.`;
    return { code: "refused-name", message: refusedMessage(word), fix, start: span.start, end: span.end };
  }
  const known = suggestName(word, writtenRoots, "root", rootsToName);
  const path = step === "" ? word : `${word}.${step}`;
  const meant = nearestName(word, writtenRoots) === undefined ? `For a block write blocks.${path}. ` : "";
  return {
    code: "unknown-root",
    message: `There is no '${word}' to read from.`,
    fix: adviseOnRoot(word, step) ?? `${meant}${known}`,
    start: span.start,
    end: span.end,
  };
}

export function unknownFunction(name: string, span: Span): SyntaxProblem {
  const meant = functionMeant(name);
  const known = didYouMean(name, functions.keys()) ?? `Known: ${[...functions.keys()].join(", ")}.`;
  const fix = meant === undefined ? known : `Use ${meant}().`;
  return {
    code: "unknown-function",
    message: `There is no function ${name}().`,
    fix: adviseOnCall(name) ?? fix,
    start: span.start,
    end: span.end,
  };
}

export function invalidNumber(text: string, start: number): SyntaxProblem {
  const shown = text.length > 40 ? `${text.slice(0, 40)}...` : text;
  const message = `${shown} is not a number this language can read.`;
  return { code: "invalid-number", message, fix: "Quote it if it is text.", start, end: start + text.length };
}

export function hyphenInName(name: string, isBlock: boolean, span: Span): SyntaxProblem {
  const message = `'${name}' has a hyphen, which in an expression means minus.`;
  const fix = isBlock
    ? `Ids of blocks have no hyphens: write blocks.${name.replaceAll("-", "_")}.`
    : `Write ['${name}'] for the name, or put spaces around a minus.`;
  return { code: "hyphen-in-name", message, fix, start: span.start, end: span.end };
}

export function wrongArgumentCount(definition: FunctionDefinition, count: number, span: Span): SyntaxProblem {
  const shown = definition.parameters.map((parameter) => (parameter.optional ? `[${parameter.name}]` : parameter.name));
  const message = `${definition.name}() can't be called with ${count === 1 ? "1 argument" : `${count} arguments`}.`;
  const fix = `Write ${definition.name}(${shown.join(", ")}): ${definition.doc}`;
  return { code: "wrong-argument-count", message, fix, start: span.start, end: span.end };
}

/** `(a).b`, `${a}.b` and `'text'.b` read well but are not in the language; only paths and calls have steps. */
export function stepsAfterValue(where: "inside" | "none", span: Span): SyntaxProblem {
  const fix =
    where === "inside"
      ? "Write the whole path inside: ${inputs.map.key}."
      : "Read keys and indexes from a path, such as inputs.map.key.";
  const message = "Only a path such as inputs.items, or a function, can be followed by . or [.";
  return { code: "unexpected-symbol", message, fix, start: span.start, end: span.end };
}

export function methodCall(path: PathNode, args: readonly Expression[], end: number): SyntaxProblem {
  const { root, keys, start } = staticPath(path);
  const method = String(keys.at(-1) ?? "");
  const name = functionMeant(method) ?? nearestName(method, functions.keys());
  const written = [writePath(root, keys.slice(0, -1)), ...args.map(writeArgument)].join(", ");
  const fix = name === undefined ? "Use a function, such as len(inputs.name)." : `Use a function: ${name}(${written}).`;
  return { code: "method-call", message: "Values have no methods that could be called.", fix, start, end };
}

function writeArgument(argument: Expression): string {
  if (argument.kind === "literal")
    return typeof argument.value === "string" ? quoteText(argument.value) : String(argument.value);
  if (argument.kind !== "path") return "...";
  const { root, keys, complete } = staticPath(argument);
  return complete ? writePath(root, keys) : "...";
}

export function dynamicFirstStep(path: PathNode): SyntaxProblem {
  const what = path.root === "blocks" ? "block" : "secret";
  const message = `Which ${what} is read must be known before the run: write its name, not an expression.`;
  const fix = `Write ${path.root}.name or ${path.root}['name'].`;
  return { code: `dynamic-${what}`, message, fix, start: path.start, end: path.end };
}
