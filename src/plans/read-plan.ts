import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { nearestName } from "../diagnostic/did-you-mean.ts";
import { type Problem, problem } from "../diagnostic/problem.ts";
import { describeValue } from "../expression/format-value.ts";
import { isMap, type Value } from "../expression/value.ts";
import { defined } from "../util/defined.ts";
import { err, ok, type Result } from "../util/result.ts";
import { count, type Field, type Form, map, oneOf, text } from "./field.ts";
import { planShape } from "./find-plan.ts";
import type { KnownActions } from "./known-actions.ts";
import { linkSteps } from "./link-steps.ts";
import { readStep } from "./read-step.ts";
import {
  failureChoices,
  type PlanHead,
  type ReadStep,
  type StructuredPlan,
  type StructuredStep,
  startWithStep,
} from "./structured-plan.ts";
import { unwrapPlan, type WrittenPlan } from "./unwrap-plan.ts";

/** A plan that was read, as far as it could be. */
export interface PlanReading {
  /** Of one with problems: those steps that could be read, one after the other. */
  readonly plan: StructuredPlan;
  readonly problems: readonly Problem[];
}

/** Everything that is wrong with a plan, step by step, before anything is made of it. */
export function readPlan(value: Value, actions: KnownActions): Result<PlanReading, Problem> {
  const written = unwrapPlan(value);
  if (written === undefined) {
    return err(problem("bad-plan", `The plan has no steps: it is ${describeValue(value)}.`, planShape));
  }
  if (written.steps.length === 0) return err(problem("bad-plan", "The plan has no steps.", planShape));
  const problems: Problem[] = [];
  const report = (step: Pick<ReadStep, "number" | "id">, code: string, message: string, fix?: string): void => {
    problems.push(problem(code, `${startWithStep(step)} ${message}`, fix));
  };
  const head = readHead(written, (message, fix) => problems.push(problem("bad-field", message, fix)));
  const steps = written.steps.map((step, index) => {
    const number = index + 1;
    const place = { number, ...defined({ id: idOf(step) }) };
    return readStep(step, number, actions, (code, message, fix) => report(place, code, message, fix));
  });
  const links = linkSteps(steps, report);
  return ok({ plan: { head, steps: joinSteps(steps, links, problems.length === 0) }, problems });
}

/** How a step calls itself, for messages, before it is read. */
function idOf(step: Value): string | undefined {
  const id = isMap(step) ? (step.step_id ?? step.id ?? step.stepId) : undefined;
  return typeof id === "string" || typeof id === "number" ? String(id) : undefined;
}

/** By the steps that they are about; those about the plan itself come first. */
export function sortProblems(problems: readonly Diagnostic[]): readonly Diagnostic[] {
  const stepOf = ({ message }: Diagnostic): number => Number(/^Step (\d+)/.exec(message)?.[1] ?? 0);
  return problems.toSorted((one, other) => stepOf(one) - stepOf(other));
}

function joinSteps(
  steps: readonly ReadStep[],
  { blockIds, dependencies }: ReturnType<typeof linkSteps>,
  isSound: boolean,
): readonly StructuredStep[] {
  const joined: StructuredStep[] = [];
  for (const [index, { dependsOn: _, block, ...step }] of steps.entries()) {
    if (block === undefined) continue;
    const before = joined.at(-1)?.blockId;
    const inOrder = before === undefined ? [] : [before];
    const named = (dependencies[index] ?? []).map((position) => blockIds[position] as string);
    joined.push({ ...step, block, blockId: blockIds[index] as string, dependsOn: isSound ? named : inOrder });
  }
  return joined;
}

const budget: Form<Value> = (value) => {
  if (typeof value === "number") return ok({ max_cost_usd: value });
  return map(value);
};

/** What is said around the steps and means something. */
const headFields: Readonly<Record<string, Field>> = {
  name: { read: text, otherNames: ["title", "plan_name", "goal", "objective", "task"] },
  overview: { read: text, otherNames: ["description", "summary"] },
  inputs: { read: map },
  budget: { read: budget, otherNames: ["max_budget", "max_cost", "max_cost_usd", "budget_usd"] },
  on_failure: { read: oneOf(failureChoices), otherNames: ["on_fail"] },
  max_parallel: { read: count(1, 1000) },
};

/** Whatever else stands there is prose, unless it looks like a slip. */
function readHead({ around }: WrittenPlan, report: (message: string, fix?: string) => void): PlanHead {
  const read: Record<string, unknown> = {};
  for (const [name, { read: form, otherNames = [] }] of Object.entries(headFields)) {
    const written = [name, ...otherNames].find((one) => (around.get(one) ?? null) !== null);
    if (written === undefined) continue;
    const result = form(around.get(written) as Value);
    if (result.ok) read[name] = result.value;
    else if (name !== "name" && name !== "overview") report(`The plan has a '${written}' that ${result.error}.`);
  }
  const known = Object.entries(headFields).flatMap(([name, { otherNames = [] }]) => [name, ...otherNames]);
  for (const name of around.keys()) {
    const meant = known.includes(name) ? undefined : nearestName(name, settings);
    if (meant !== undefined) report(`The plan has the unknown field '${name}'.`, `Did you mean '${meant}'?`);
  }
  const { name, overview, inputs, budget, on_failure: onFailure, max_parallel: maxParallel } = read;
  return defined({ name, overview, inputs, budget, onFailure, maxParallel }) as PlanHead;
}

/** Those that change what happens. */
const settings: readonly string[] = ["inputs", "budget", "on_failure", "max_parallel"];
