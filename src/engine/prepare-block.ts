import type { BlockType, FileOutput } from "../block/define-block.ts";
import type { Cost } from "../block/spend.ts";
import { parseDuration } from "../definition/duration.ts";
import { parseAmount } from "../definition/load-budget.ts";
import { emptyMap, resolveValue } from "../definition/value-template.ts";
import type { BlockDefinition } from "../definition/workflow-definition.ts";
import { explainIssue, issuePath } from "../diagnostic/explain-issues.ts";
import type { Scope } from "../expression/ast.ts";
import { describeValue } from "../expression/format-value.ts";
import { isList, isMap, toValue, type Value, type ValueMap } from "../expression/value.ts";
import type { PlannedBlock } from "../plan/plan.ts";
import { err, ok, type Result } from "../util/result.ts";
import { resolvePasses } from "./conclude.ts";
import type { LoopElement, SkipReason } from "./events.ts";
import { failuresBehind, judgeCondition, quoteCondition } from "./judge.ts";
import { isLoop, type RunNode } from "./run-node.ts";
import { WorkflowScope } from "./scope.ts";

/** Whether a block whose dependencies allow it is to run at all. */
export type Verdict =
  | { readonly kind: "run" }
  | { readonly kind: "skip"; readonly reason: SkipReason }
  | { readonly kind: "crash"; readonly message: string };

export function judgeBlock(node: RunNode, runId: string): Verdict {
  const { definition, conditionPerElement } = plannedBlock(node);
  const isInLoop = isLoop(node) || node.element !== undefined;
  const judgedHere = !isInLoop || conditionPerElement !== isLoop(node);
  if (definition.condition === undefined || !judgedHere) return { kind: "run" };
  const verdict = judgeCondition(definition.condition, WorkflowScope.ofBlock(node, runId));
  if (!verdict.ok) return { kind: "crash", message: verdict.error };
  if (verdict.value) return { kind: "run" };
  const message = `The condition is false: ${quoteCondition(definition.condition)}`;
  return { kind: "skip", reason: { kind: "condition", message } };
}

/** What a block that is about to start turns out to be, once its inputs are known. Nothing has happened yet. */
export type Prepared =
  | { readonly kind: "crash"; readonly message: string }
  | { readonly kind: "loop"; readonly elements: readonly LoopElement[]; readonly becauseOf: readonly string[] }
  | ({ readonly kind: "block"; readonly becauseOf: readonly string[] } & BlockCall);

export interface BlockCall {
  /** Checked against the type's schema, with its defaults filled in. */
  readonly input: ValueMap;
  readonly compiled: ReadonlyMap<string, unknown>;
  /** Inputs that stand in the file as they are, without an expression. */
  readonly literals: ReadonlySet<string>;
  readonly fileOutputs: readonly FileOutput[];
  readonly timeoutSeconds: number | undefined;
  /** What its author says that an attempt costs at most. */
  readonly cost?: Cost;
}

const mostElements = 10_000;

export function prepareBlock(node: RunNode, runId: string): Prepared {
  const { definition } = plannedBlock(node);
  const scope = WorkflowScope.ofBlock(node, runId);
  const becauseOf = failuresBehind(node, runId);
  if (isLoop(node)) {
    const elements = resolveElements(definition, scope);
    if (!elements.ok) return { kind: "crash", message: elements.error };
    return { kind: "loop", elements: elements.value, becauseOf };
  }
  const call = resolveCall(definition, scope);
  return call.ok ? { kind: "block", becauseOf, ...call.value } : { kind: "crash", message: call.error };
}

function plannedBlock({ block }: RunNode): PlannedBlock {
  if (block === undefined) throw new Error("The root of a run is not a block.");
  return block;
}

/** A repeated block begins with one pass. */
export function resolveElements(definition: BlockDefinition, scope: Scope): Result<readonly LoopElement[], string> {
  if (definition.repeat !== undefined) {
    const most = resolvePasses(definition.repeat, scope);
    return most.ok ? ok([{ key: 0, value: null }]) : most;
  }
  if (definition.forEach === undefined) return ok([]);
  const resolved = resolveValue(definition.forEach.items, scope);
  if (!resolved.ok) return err(`for_each: ${resolved.error.message}`);
  const { value } = resolved;
  const elements = elementsOf(value);
  if (elements === undefined) return err(`for_each needs a list or a map, not ${describeValue(value)}.`);
  if (elements.length > mostElements)
    return err(`for_each can take ${mostElements} elements at most, not ${elements.length}.`);
  return ok(elements);
}

function elementsOf(value: Value): LoopElement[] | undefined {
  if (isList(value)) return value.map((item, key) => ({ key, value: item }));
  if (isMap(value)) return Object.entries(value).map(([key, item]) => ({ key, value: item }));
  return undefined;
}

/** The inputs of a block as its type will get them. Also used to resume, where only the condition is not asked again. */
export function resolveCall(definition: BlockDefinition, scope: Scope): Result<BlockCall, string> {
  const { type } = definition;
  const written = emptyMap();
  const compiled = new Map<string, unknown>();
  const literals = new Set<string>();
  for (const [name, { value }] of definition.inputs) {
    if (value.kind === "compiled") {
      const resolved = value.compiled.resolve(scope);
      if (!resolved.ok) return err(`input '${name}': ${resolved.error.message}`);
      written[name] = resolved.value.shown;
      compiled.set(name, resolved.value.compiled);
      continue;
    }
    if (value.kind === "literal") literals.add(name);
    const resolved = resolveValue(value, scope);
    if (!resolved.ok) return err(`input '${name}': ${resolved.error.message}`);
    written[name] = resolved.value;
  }
  const input = checkInput(type, written);
  if (!input.ok) return input;
  const timeout = resolveTimeout(definition, scope);
  if (!timeout.ok) return timeout;
  const fileOutputs = resolveFileOutputs(definition, scope);
  if (!fileOutputs.ok) return fileOutputs;
  const cost = resolveCost(definition, scope);
  if (!cost.ok) return cost;
  const call = {
    input: input.value,
    compiled,
    literals,
    fileOutputs: fileOutputs.value,
    timeoutSeconds: timeout.value,
  };
  return ok(cost.value === undefined ? call : { ...call, cost: cost.value });
}

function resolveCost({ cost }: BlockDefinition, scope: Scope): Result<Cost | undefined, string> {
  if (cost === undefined) return ok(undefined);
  const amounts: { usd?: number; tokens?: number } = {};
  for (const name of ["usd", "tokens"] as const) {
    const template = cost[name];
    if (template === undefined) continue;
    const resolved = resolveValue(template, scope);
    if (!resolved.ok) return err(`cost.${name}: ${resolved.error.message}`);
    const amount = parseAmount(resolved.value, name === "tokens");
    if (!amount.ok) return err(`cost.${name} ${amount.error}.`);
    amounts[name] = amount.value;
  }
  return ok(amounts);
}

function checkInput(type: BlockType, written: ValueMap): Result<ValueMap, string> {
  const checked = type.inputs().safeParse(written);
  if (!checked.success) return err(explainIssues(checked.error.issues, written));
  const value = toValue(checked.data);
  return value.ok ? ok(value.value as ValueMap) : value;
}

type Issues = NonNullable<ReturnType<ReturnType<BlockType["inputs"]>["safeParse"]>["error"]>["issues"];

function explainIssues(issues: Issues, written: ValueMap): string {
  const problems = issues.map((issue) => {
    const given = issue.path.length === 1 ? (written[String(issue.path[0])] ?? null) : undefined;
    const got = given === undefined ? "" : `, not ${describeValue(given)}`;
    return `input '${issuePath(issue.path).replace(/^\./, "")}' ${explainIssue(issue)}${got}`;
  });
  return `${problems.join("; ")}.`;
}

/** What is wrong with the inputs that are known, whatever the others will be. */
export function findInputProblem(type: BlockType, known: ValueMap, unknown: ReadonlySet<string>): string | undefined {
  const checked = type.inputs().safeParse(known);
  const issues = checked.error?.issues.filter(({ path: [name] }) => name !== undefined && !unknown.has(String(name)));
  return issues === undefined || issues.length === 0 ? undefined : explainIssues(issues, known);
}

function resolveTimeout({ timeout, type }: BlockDefinition, scope: Scope): Result<number | undefined, string> {
  if (timeout === undefined) return ok(type.defaultTimeout);
  const resolved = resolveValue(timeout.value, scope);
  if (!resolved.ok) return err(`timeout: ${resolved.error.message}`);
  const { value } = resolved;
  const duration = parseDuration(value, timeout.unit);
  return duration.ok ? duration : err(`${duration.error}, not ${describeValue(value)}.`);
}

function resolveFileOutputs(definition: BlockDefinition, scope: Scope): Result<readonly FileOutput[], string> {
  const outputs: FileOutput[] = [];
  for (const { name, type, path, required, unsafe } of definition.fileOutputs) {
    const resolved = resolveValue(path, scope);
    if (!resolved.ok) return err(`output '${name}': ${resolved.error.message}`);
    if (typeof resolved.value !== "string" || resolved.value === "") {
      return err(`output '${name}': its path must be a text, not ${describeValue(resolved.value)}.`);
    }
    outputs.push({ name, type, path: resolved.value, required, unsafe });
  }
  return ok(outputs);
}
