import type { OnFailure } from "../definition/workflow-definition.ts";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { problem } from "../diagnostic/problem.ts";
import type { Source } from "../diagnostic/source.ts";
import { toValue, type Value } from "../expression/value.ts";
import type { CheckedWorkflow, Workflows } from "../library/workflows.ts";
import { defined } from "../util/defined.ts";
import { err, ok, type Result } from "../util/result.ts";
import { compilePlan } from "./compile-plan.ts";
import { findPlan } from "./find-plan.ts";
import { createActions } from "./known-actions.ts";
import { readPlan, sortProblems } from "./read-plan.ts";
import { type StructuredPlan, type StructuredStep, startWithStep } from "./structured-plan.ts";

export interface PlanRequest {
  /** As a model wrote it: a text with the plan in it, or the plan as data. */
  readonly plan: unknown;
  /** Goes before what the plan says. */
  readonly onFailure?: OnFailure | undefined;
  readonly budget?: unknown;
}

/** A plan that can run: the workflow that it comes to, checked as any other. */
export interface OpenedPlan {
  readonly name: string;
  readonly text: string;
  readonly steps: readonly PlanStep[];
  readonly checked: CheckedWorkflow & { readonly plan: NonNullable<CheckedWorkflow["plan"]> };
  /** What it says that nobody checks or that could be better. */
  readonly warnings: readonly Diagnostic[];
}

export interface PlanStep {
  /** Counted from 1. */
  readonly number: number;
  /** As the plan has it. */
  readonly id?: string;
  readonly block: string;
}

/** Reads a plan and compiles it, or tells all that is wrong with it, before anything runs. */
export function* openPlan(
  request: PlanRequest,
  workflows: Workflows,
): Generator<void, Result<OpenedPlan, readonly Diagnostic[]>> {
  const { catalog } = workflows;
  const found = findPlan(request.plan);
  if (!found.ok) return err([found.error]);
  const budget = toValue(request.budget ?? null);
  if (!budget.ok) return err([problem("bad-field", `The budget can't be read. ${budget.error}`)]);
  const read = readPlan(found.value, createActions(catalog));
  if (!read.ok) return err([read.error]);
  yield;
  const { problems } = read.value;
  const plan = withRequest(read.value.plan, request.onFailure, budget.value);
  if (plan.steps.length === 0) return err(sortProblems(problems));
  const { name, text } = compilePlan(plan, catalog);
  const checked = yield* workflows.checkInSlices(planSource(text, workflows));
  const bySteps = checked.diagnostics.map((diagnostic) => placeInPlan(diagnostic, text, plan.steps));
  // Of a plan that can't be read as a whole, only what is wrong with a step itself is worth saying.
  const errors = bySteps.filter(({ level, message }) => {
    return level === "error" && (problems.length === 0 || message.startsWith("Step "));
  });
  if (problems.length > 0 || errors.length > 0) return err(sortProblems([...problems, ...errors]));
  if (checked.plan === undefined) return err([problem("bad-plan", "The plan can't be run.")]);
  const unchecked = plan.steps.flatMap((step) => (step.success?.unchecked ?? []).map((text) => notChecked(step, text)));
  return ok({
    name,
    text,
    steps: plan.steps.map(({ number, id, blockId }) => ({ number, block: blockId, ...defined({ id }) })),
    checked: { ...checked, plan: checked.plan },
    warnings: [...unchecked, ...bySteps.filter(({ level }) => level === "warning")],
  });
}

function withRequest(plan: StructuredPlan, onFailure: OnFailure | undefined, budget: Value): StructuredPlan {
  return { ...plan, head: { ...plan.head, ...defined({ onFailure }), ...(budget === null ? {} : { budget }) } };
}

/** A plan is no file; what it calls by a path is what an inline workflow can. */
export function planSource(text: string, workflows: Workflows): Source {
  return { name: "plan.yaml", text, isInline: true, ...defined({ reach: workflows.inlineReach() }) };
}

/** Whoever wrote the plan has not seen the workflow: a problem is said of the step. */
function placeInPlan(diagnostic: Diagnostic, text: string, steps: readonly StructuredStep[]): Diagnostic {
  const { range, block = blockAt(text, range?.start), ...rest } = diagnostic;
  const step = steps.find(({ blockId }) => blockId === block);
  if (step === undefined) return rest;
  const message = diagnostic.message.replace(`block '${step.blockId}': `, "");
  return { ...rest, message: `${startWithStep(step)}: ${message}` };
}

/** The block that an offset of the text lies in. */
function blockAt(text: string, offset = 0): string | undefined {
  const start = text.lastIndexOf("\n  - id: ", offset);
  return start === -1 ? undefined : /^\n {2}- id: (\w+)/.exec(text.slice(start, start + longestHead))?.[1];
}

const longestHead = 200;

function notChecked(step: StructuredStep, condition: string): Diagnostic {
  const message = `${startWithStep(step)}: the success condition '${condition}' is not checked.`;
  const fix = 'Write one that can be: {"exit_code": 0}, {"file_exists": "..."}, {"stdout_contains": "..."}.';
  return { code: "not-checked", level: "warning", message, fix };
}
