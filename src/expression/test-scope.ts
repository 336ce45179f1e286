import type { Root, Scope } from "./ast.ts";
import { evaluate } from "./evaluate.ts";
import { evaluateTemplate } from "./evaluate-template.ts";
import { parseExpression } from "./parse-expression.ts";
import { parseTemplate } from "./parse-template.ts";
import { readSteps } from "./read-path.ts";
import { toValue, type Value } from "./value.ts";

/** A scope over plain data, for tests. */
export function scopeOf(data: Partial<Record<Root, unknown>>): Scope {
  const converted = toValue(data);
  if (!converted.ok) throw new Error(converted.error);
  const value = converted.value;
  return { read: (root, keys) => readSteps(value, [root, ...keys], "scope") };
}

/** The value of an expression's text; throws `code: message` of what is wrong with it. */
export function evaluated(source: string, data: Partial<Record<Root, unknown>> = {}): Value {
  const parsed = parseExpression(source);
  if (!parsed.ok) throw new Error(`${parsed.error.code}: ${parsed.error.message} ${parsed.error.fix ?? ""}`);
  const result = evaluate(parsed.value, scopeOf(data));
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

export function templateValueOf(source: string, data: Partial<Record<Root, unknown>> = {}): Value {
  const parsed = parseTemplate(source);
  if (!parsed.ok)
    throw new Error(parsed.error.problems.map((problem) => `${problem.code}: ${problem.message}`).join("\n"));
  const result = evaluateTemplate(parsed.value, scopeOf(data));
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}
