import { fail } from "./evaluation-problem.ts";
import { describeValue, formatValue, quoteText } from "./format-value.ts";
import { type Call, defineFunction, type FunctionDefinition, text } from "./function-definition.ts";
import { toValue, type Value } from "./value.ts";

const scalar = ["boolean", "number", "string"] as const;
const workPerParsedCharacter = 4;

export const conversionFunctions: readonly FunctionDefinition[] = [
  defineFunction(
    "int",
    { value: scalar },
    "number",
    "A whole number from a number (cut), a text or true/false.",
    ([value], call) => toInteger(value as Value, call),
  ),
  defineFunction(
    "float",
    { value: scalar },
    "number",
    "A number from a number, a text or true/false.",
    ([value], call) => toNumber(value as Value, call),
  ),
  defineFunction("string", { value: "any" }, "string", "Any value as text, as inside other text.", ([value], call) => {
    call.budget.measure(value as Value, call);
    const formatted = formatValue(value as Value);
    call.budget.text(formatted.length, call);
    return formatted;
  }),
  defineFunction(
    "bool",
    { value: scalar },
    "boolean",
    "true from true/yes/1, false from false/no/0.",
    ([value], call) => toBoolean(value as Value, call),
  ),
  defineFunction("json", { value: "any" }, "string", "Any value as compact JSON.", ([value], call) => {
    call.budget.measure(value as Value, call);
    const written = JSON.stringify(value);
    call.budget.text(written.length, call);
    return written;
  }),
  defineFunction("from_json", { text }, "any", "The value that a JSON text holds.", ([source], call) =>
    parseJson(source as string, call),
  ),
];

const integerText = /^[+-]?[0-9]+$/;
const numberText = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const longestNumber = 400;

function toInteger(value: Value, call: Call): number {
  const source = typeof value === "string" ? numeral(value, integerText) : Math.trunc(Number(value));
  if (source === undefined) return noConversion("int", value, "a whole number such as '12'", call);
  if (typeof value === "string" && !Number.isSafeInteger(source)) {
    return fail(call, "not-finite", `int() can't keep all digits of ${quoteText(value)}: it is too large.`);
  }
  return source === 0 ? 0 : source;
}

function toNumber(value: Value, call: Call): number {
  const result = typeof value === "string" ? numeral(value, numberText) : Number(value);
  if (result === undefined) return noConversion("float", value, "a number such as '2.5'", call);
  if (!Number.isFinite(result))
    return fail(call, "not-finite", `float() can't hold ${describeValue(value)}: it is too large.`);
  return result === 0 ? 0 : result;
}

function numeral(source: string, pattern: RegExp): number | undefined {
  const trimmed = source.length > longestNumber ? "" : source.trim();
  return pattern.test(trimmed) ? Number(trimmed) : undefined;
}

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  "1": true,
  false: false,
  no: false,
  "0": false,
};

function toBoolean(value: Value, call: Call): boolean {
  const word = typeof value === "string" && value.length > 20 ? "" : formatValue(value).trim().toLowerCase();
  if (Object.hasOwn(truths, word)) return truths[word] as boolean;
  return noConversion("bool", value, "true, false, yes, no, 1 or 0", call);
}

function noConversion(name: string, value: Value, wanted: string, call: Call): never {
  return fail(call, "invalid-argument", `${name}() wants ${wanted}, but got ${describeValue(value)}.`);
}

function parseJson(source: string, call: Call): Value {
  call.budget.text(source.length, call);
  call.budget.spend(source.length * workPerParsedCharacter, call);
  let data: unknown;
  try {
    data = JSON.parse(source);
  } catch {
    return fail(call, "invalid-argument", `from_json() wants JSON, but got ${describeValue(source)}.`);
  }
  const value = toValue(data);
  if (!value.ok) return fail(call, "invalid-argument", `from_json() can't use this JSON. ${value.error}`);
  return value.value;
}
