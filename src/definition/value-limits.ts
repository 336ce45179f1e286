import { suggestName } from "../diagnostic/did-you-mean.ts";
import { findUnmatched } from "../expression/find-pattern.ts";
import { describeValue, formatValue, quoteText } from "../expression/format-value.ts";
import { isList, type Value } from "../expression/value.ts";
import { defined } from "../util/defined.ts";
import { checkDataType, type DataType, isOneOf } from "./data-type.ts";

/** What a value has to be: of an input, or of the elements of one that is a list. */
export interface ValueLimits {
  readonly type: DataType;
  readonly enum?: readonly Value[];
  /** A text matches it as a whole. */
  readonly pattern?: string;
  /** Of a number, both included. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** Of a list: what each of its elements has to be. */
  readonly items?: ValueLimits;
}

export interface LimitProblem {
  readonly code: "wrong-type" | "not-in-enum" | "no-match" | "out-of-range";
  readonly message: string;
  readonly fix?: string;
}

/** More would bury the other inputs. */
const mostElementsTold = 3;

/** What is wrong with a value, `what` of it being said in the messages: `Input 'x'`. Nothing when it fits. */
export function findLimitProblems(what: string, value: Value, limits: ValueLimits): readonly LimitProblem[] {
  const own = findOwnProblem(what, value, limits);
  if (own !== undefined) return [own];
  return limits.items === undefined || !isList(value) ? [] : findElementProblems(what, value, limits.items);
}

/** The pattern is tried on all elements together: compiled once, and within one bound. */
function findElementProblems(
  what: string,
  list: readonly Value[],
  { pattern, ...others }: ValueLimits,
): readonly LimitProblem[] {
  const texts = list.map((item) => (typeof item === "string" ? item : ""));
  const unmatched = pattern === undefined ? [] : findUnmatched(texts, pattern);
  if (unmatched === undefined) return [tooLong(what)];
  const missed = new Set(unmatched);
  const problems: LimitProblem[] = [];
  for (const [index, item] of list.entries()) {
    const element = `Element ${index + 1} of ${lowerFirst(what)}`;
    const problem = findOwnProblem(element, item, others);
    if (problem !== undefined) problems.push(problem);
    else if (pattern !== undefined && missed.has(index)) problems.push(noMatch(element, item, pattern));
    if (problems.length === mostElementsTold) break;
  }
  return problems;
}

function findOwnProblem(what: string, value: Value, limits: ValueLimits): LimitProblem | undefined {
  const { type, enum: choices, pattern, minimum, maximum } = limits;
  const checked = checkDataType(value, type);
  if (!checked.ok) return { code: "wrong-type", message: `${what}: ${checked.error}.` };
  if (choices !== undefined && !isOneOf(value, choices)) {
    return {
      code: "not-in-enum",
      message: `${what} can't be ${describeValue(value)}.`,
      fix: suggestName(formatValue(value), choices.map(formatValue), "value"),
    };
  }
  if (pattern !== undefined && typeof value === "string") {
    const unmatched = findUnmatched([value], pattern);
    if (unmatched === undefined) return tooLong(what);
    if (unmatched.length > 0) return noMatch(what, value, pattern);
  }
  if (typeof value !== "number") return undefined;
  if (minimum !== undefined && value < minimum) return outOfRange(what, value, limits);
  if (maximum !== undefined && value > maximum) return outOfRange(what, value, limits);
  return undefined;
}

function noMatch(what: string, value: Value, pattern: string): LimitProblem {
  return {
    code: "no-match",
    message: `${what} can't be ${describeValue(value)}.`,
    fix: `Give it a text that matches ${quotePattern(pattern)} as a whole.`,
  };
}

function tooLong(what: string): LimitProblem {
  return {
    code: "no-match",
    message: `${what} is too long to be checked against its pattern.`,
    fix: "Pass the name of a file that holds the text.",
  };
}

function outOfRange(what: string, value: number, limits: ValueLimits): LimitProblem {
  return {
    code: "out-of-range",
    message: `${what} can't be ${describeValue(value)}.`,
    fix: `Give it a number ${describeRange(limits)}.`,
  };
}

/** In words that follow `a number`. */
function describeRange({ minimum, maximum }: ValueLimits): string {
  if (minimum === undefined) return `of ${maximum} or less`;
  return maximum === undefined ? `of ${minimum} or more` : `from ${minimum} to ${maximum}`;
}

/** What limits say beside the type, in words: for people and for clients that can't be told otherwise. */
export function describeLimits({ enum: choices, pattern, ...limits }: ValueLimits): readonly string[] {
  const { minimum, maximum, items } = limits;
  const bounded = minimum !== undefined || maximum !== undefined;
  return [
    ...(choices === undefined ? [] : [`one of ${choices.map((value) => JSON.stringify(value)).join(", ")}`]),
    ...(pattern === undefined ? [] : [`matches ${quotePattern(pattern)}`]),
    ...(bounded ? [describeRange(limits)] : []),
    ...(items === undefined ? [] : [["elements", items.type, ...describeLimits(items)].join(" ")]),
  ];
}

/** The limits beside the type that there are, in the order in which they are shown. */
export function plainLimits({ pattern, minimum, maximum, items, enum: choices }: ValueLimits): Partial<ValueLimits> {
  return defined({
    enum: choices,
    pattern,
    minimum,
    maximum,
    items: items === undefined ? undefined : { type: items.type, ...plainLimits(items) },
  });
}

/** Backslashes stay as they are written: escaped, it would be another pattern. */
function quotePattern(pattern: string): string {
  return quoteText(pattern).replaceAll("\\\\", "\\");
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
