import { findLimitProblems, type LimitProblem } from "../definition/value-limits.ts";
import { emptyMap, resolveValue } from "../definition/value-template.ts";
import type { InputDeclaration, WorkflowDefinition } from "../definition/workflow-definition.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { Scope } from "../expression/ast.ts";
import { isUnknown, UnknownRead, unknownValue, whenKnown } from "../expression/unknown-value.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import { writeSecret } from "../plan/secret-references.ts";
import { err, ok, type Result } from "../util/result.ts";

export interface InputProblem {
  readonly code: "unknown-input" | "missing-input" | "secret-input" | LimitProblem["code"];
  readonly input: string;
  readonly message: string;
  readonly fix?: string;
}

/** What is given, checked against what is declared, with defaults filled in. All problems at once. */
export function bindInputs(
  definition: WorkflowDefinition,
  given: ValueMap,
  metadata: Scope,
): Result<ValueMap, readonly InputProblem[]> {
  const problems: InputProblem[] = [];
  for (const name of Object.keys(given)) {
    if (definition.inputs.has(name)) continue;
    problems.push({
      code: "unknown-input",
      input: name,
      message: `The workflow '${definition.name}' has no input '${name}'.`,
      fix: definition.inputs.size === 0 ? "It takes no inputs." : suggestName(name, definition.inputs.keys(), "input"),
    });
  }
  const bound = emptyMap();
  for (const input of definition.inputs.values()) {
    const value = Object.hasOwn(given, input.name) ? (given[input.name] as Value) : undefined;
    // Null for an optional input is how a caller says "nothing given".
    const isGiven = value !== undefined && (value !== null || input.required);
    const result = isGiven ? checkGiven(input, value) : defaultOf(input, metadata);
    if (result.ok) bound[input.name] = result.value;
    else problems.push(...result.error);
  }
  return problems.length > 0 ? err(problems) : ok(bound);
}

/** Secrets are handed over by workflows only: what somebody types or a model says is recorded in too many places. */
export function refuseSecretInputs({ inputs }: WorkflowDefinition, given: ValueMap): readonly InputProblem[] {
  return [...inputs.values()].flatMap((input): InputProblem[] => {
    if (!input.secret || !(input.required || Object.hasOwn(given, input.name))) return [];
    return [
      {
        code: "secret-input",
        input: input.name,
        message: `The input '${input.name}' is secret, and only a calling workflow can give it.`,
        fix: `Call it from a workflow of your own, with \`${input.name}: ${writeSecret("NAME")}\`.`,
      },
    ];
  });
}

function defaultOf(input: InputDeclaration, metadata: Scope): Result<Value, readonly InputProblem[]> {
  if (input.required) {
    const described = input.description === undefined ? "" : ` (${input.description})`;
    const problem: InputProblem = {
      code: "missing-input",
      input: input.name,
      message: `The required input '${input.name}'${described} is missing.`,
      fix: `Give it ${input.type === "string" ? "a text" : `a value of type ${input.type}`}.`,
    };
    return err([problem]);
  }
  if (input.default === undefined) return ok(null);
  const source = input.default;
  const resolved = whenKnown(() => resolveValue(source, metadata));
  if (resolved instanceof UnknownRead) return ok(unknownValue(() => resolved.about));
  if (!resolved.ok) {
    const message = `The default of '${input.name}': ${resolved.error.message}`;
    return err([{ code: "wrong-type", input: input.name, message }]);
  }
  return resolved.value === null ? resolved : checkGiven(input, resolved.value);
}

function checkGiven(input: InputDeclaration, value: Value): Result<Value, readonly InputProblem[]> {
  if ((value === null && !input.required) || isUnknown(value)) return ok(value);
  if (input.required && value === "" && input.type === "string") {
    const message = `The required input '${input.name}' is empty.`;
    return err([{ code: "missing-input", input: input.name, message, fix: "Give it a text." }]);
  }
  const problems = findLimitProblems(`Input '${input.name}'`, value, input);
  return problems.length === 0 ? ok(value) : err(problems.map((problem) => ({ ...problem, input: input.name })));
}
