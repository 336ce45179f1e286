import { isMap, type ValueMap } from "../expression/value.ts";
import { err, ok } from "../util/result.ts";
import { count, type Field, type Form, flag, listOf, seconds, text } from "./field.ts";
import { type SuccessConditions, successConditions } from "./success-conditions.ts";

/** An id or a position; some write `{"step_id": 1}`. */
const dependency: Form<string> = (value) => {
  if (!isMap(value)) return text(value);
  return text(value.step_id ?? value.id ?? value.step ?? value);
};

/** One id, a list of them, or several with commas between them. */
const dependencies: Form<readonly string[]> = (value) => {
  if (typeof value !== "string") return listOf(dependency)(value);
  const names = value.split(",").map((name) => name.trim());
  return ok(names.filter((name) => name !== "" && name.toLowerCase() !== "none"));
};

const cost: Form<ValueMap> = (value) => {
  if (isMap(value)) return ok(value);
  return typeof value === "number" && value >= 0
    ? ok({ usd: value })
    : err("must be a number of US dollars from 0 on, or a map");
};

interface StepFields {
  readonly step_id: Field<string>;
  readonly description: Field<string>;
  readonly depends_on: Field<readonly string[]>;
  readonly rollback_on_fail: Field<boolean>;
  readonly max_retries: Field<number>;
  readonly timeout_seconds: Field<number>;
  readonly timeout_ms: Field<number>;
  readonly success_conditions: Field<SuccessConditions>;
  readonly cost: Field<ValueMap>;
  readonly [name: string]: Field;
}

/** What every step may say. */
export const stepFields: StepFields = {
  step_id: { read: text, otherNames: ["id", "step", "step_number", "number", "index"] },
  description: { read: text, otherNames: ["title", "name", "summary", "purpose", "explanation"] },
  depends_on: { read: dependencies, otherNames: ["dependencies", "depends", "needs", "requires", "after"] },
  rollback_on_fail: { read: flag, otherNames: ["rollback_on_failure", "rollback"] },
  max_retries: { read: count(0, 99), otherNames: ["retries", "retry", "retry_count"] },
  timeout_seconds: { read: seconds("s"), otherNames: ["timeout", "timeout_s", "timeout_sec"] },
  timeout_ms: { read: seconds("ms") },
  success_conditions: { read: successConditions, otherNames: ["success_condition", "success_criteria"] },
  cost: { read: cost },
};

/** Where models say what a step does. */
export const actionNames: readonly string[] = [
  "action_type",
  "action",
  "type",
  "tool",
  "tool_name",
  "kind",
  "step_type",
];

/** Maps in which models put what an action takes. */
export const containerNames: readonly string[] = [
  ...["parameters", "params", "arguments", "args", "inputs"],
  ...["action_input", "tool_input", "with", "details"],
];

/** What models say beside: of no use to an engine. */
export const remarks: ReadonlySet<string> = new Set([
  ...["reason", "reasoning", "rationale", "thought", "thoughts", "note", "notes", "comment", "comments"],
  ...["expected_outcome", "expected_output", "expected_result", "outcome", "risk", "risk_level", "priority"],
  ...["status", "state", "result", "output", "error", "phase", "category", "tags", "owner", "assignee"],
  ...["confidence", "complexity", "critical", "metadata", "estimated_cost", "estimated_time", "estimated_duration"],
]);
