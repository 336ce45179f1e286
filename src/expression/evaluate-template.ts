import type { Result } from "../util/result.ts";
import type { Scope, Template } from "./ast.ts";
import type { Limits } from "./budget.ts";
import { evaluate, evaluateText } from "./evaluate.ts";
import type { EvaluationProblem } from "./evaluation-problem.ts";
import type { Value } from "./value.ts";

/** The value of a template: one expression alone keeps its type, anything else is text. */
export function evaluateTemplate(template: Template, scope: Scope, limits?: Limits): Result<Value, EvaluationProblem> {
  const [only, ...others] = template.parts;
  if (typeof only === "object" && others.length === 0) return evaluate(only.expression, scope, limits);
  return evaluateText(template, scope, limits);
}
