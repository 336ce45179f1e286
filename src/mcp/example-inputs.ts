import { describeWorkflow } from "../library/describe-workflow.ts";
import { limitsSchema } from "../library/plain-schema.ts";
import type { CheckedWorkflow } from "../library/workflows.ts";
import { exampleOf } from "./example-value.ts";

/** Inputs to begin with: those that a workflow can't be called without. Nothing where it needs none. */
export function exampleInputs(
  plan: NonNullable<CheckedWorkflow["plan"]>,
): Readonly<Record<string, unknown>> | undefined {
  const { inputs } = describeWorkflow(plan, () => undefined);
  const needed = Object.entries(inputs).filter(([, { required }]) => required);
  if (needed.length === 0) return undefined;
  return Object.fromEntries(needed.map(([name, limits]) => [name, exampleOf(limitsSchema(limits))]));
}
