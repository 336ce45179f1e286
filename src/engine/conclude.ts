import { convertToDataType } from "../definition/data-type.ts";
import { mostPasses } from "../definition/retry-values.ts";
import { quoteSource, resolveValue } from "../definition/value-template.ts";
import type { OutputDeclaration, Repeat } from "../definition/workflow-definition.ts";
import type { Scope } from "../expression/ast.ts";
import { evaluate } from "../expression/evaluate.ts";
import { UnknownRead, unknownValue, whenKnown } from "../expression/unknown-value.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { WorkflowRemarks } from "./events.ts";
import { crashed, type Ending, operationFailed, stopped, succeeded } from "./execution.ts";
import { adviseOnFailure } from "./failure-advice.ts";
import { howItEnded, judgeCondition, quoteCondition } from "./judge.ts";
import { nameElement } from "./name-element.ts";
import { resolveCount, resolveDelay } from "./retry.ts";
import { cancelReason, isUnderFinally, type LoopInside, type RunNode, type WorkflowInside } from "./run-node.ts";
import { WorkflowScope } from "./scope.ts";
import { reasonToSkip, reasonToWithdraw } from "./skip-reasons.ts";
import { ranBecauseOf, weighFailures } from "./weigh-failures.ts";

export interface Conclusion {
  readonly ending: Ending;
  readonly outputs: ValueMap;
  readonly remarks: WorkflowRemarks;
}

/** The result of a workflow all of whose blocks but `finally` have ended: what became of them, and its outputs, on failure too. */
export function concludeWorkflow(node: RunNode, inside: WorkflowInside, scope: Scope): Conclusion {
  const { crashed: unable, standing, handled: handledFailures } = weighFailures(inside, "main");
  const { outputs, outputErrors } = evaluateOutputs(inside, scope);
  const remarks = { handledFailures, outputErrors };
  const cancelled = cancelReason(node);
  if (cancelled !== undefined) return { ending: stopped(cancelled), outputs, remarks };
  if (unable.length > 0) return { ending: crashed(summariseWithAdvice(unable, inside)), outputs, remarks };
  if (standing.length > 0) return { ending: operationFailed(summariseWithAdvice(standing, inside)), outputs, remarks };
  return { ending: succeeded, outputs, remarks };
}

/** The same when `finally` has ended too: a failure there makes a success a failure, and nothing else changes any more. */
export function concludeFinally(inside: WorkflowInside, before: Ending, conclusion: Conclusion): Conclusion {
  const { crashed: unable, standing, handled } = weighFailures(inside, "finally");
  const { handledFailures, outputErrors } = conclusion.remarks;
  const remarks = { handledFailures: [...handledFailures, ...handled], outputErrors };
  const result = { outputs: conclusion.outputs, remarks };
  if (before.outcome !== "success") return { ending: before, ...result };
  if (unable.length > 0) return { ending: crashed(`finally: ${summarise(unable)}`), ...result };
  if (standing.length > 0) return { ending: operationFailed(`finally: ${summarise(standing)}`), ...result };
  const neverStarted = inside.children.find((child) => isUnderFinally(child) && wasEndedBefore(child));
  if (neverStarted === undefined) return { ending: before, ...result };
  const { key, record } = neverStarted;
  return { ending: crashed(`finally: '${key}' was skipped: ${record.metadata.message}`), ...result };
}

/** Whether a block was not begun because it would have been ended at once; other reasons to skip it are the author's. */
function wasEndedBefore(node: RunNode): boolean {
  if (!node.record.metadata.skipped || cancelReason(node) === undefined) return false;
  return node.record.metadata.message === reasonToSkip(node)?.message;
}

/** With what to write, if a block ran that looks like an answer to one of them. */
function summariseWithAdvice(nodes: readonly RunNode[], inside: WorkflowInside): string {
  const summary = summarise(nodes);
  for (const node of nodes) {
    const answers = ranBecauseOf(node, inside);
    if (answers.length > 0) return `${summary}\n${adviseOnFailure(node, answers, inside)}`;
  }
  return summary;
}

/** Of some that have all failed, by what the first of them says. */
function summarise(nodes: readonly RunNode[]): string {
  const first = nodes[0] as RunNode;
  const { message } = first.record.metadata;
  const others = nodes.length > 1 ? ` (and ${nodes.length - 1} more)` : "";
  return `${nameOf(first)} ${howItEnded(first)}${others}${message ? `: ${message}` : ""}`;
}

/** An index says little, so an element of a list is named with its value. */
function nameOf({ key, element }: RunNode): string {
  const name = element === undefined ? undefined : nameElement(element);
  return name === undefined ? `'${key}'` : `'${key}' (${name})`;
}

interface EvaluatedOutputs {
  readonly outputs: ValueMap;
  readonly outputErrors: Readonly<Record<string, string>>;
}

function evaluateOutputs(inside: WorkflowInside, scope: Scope): EvaluatedOutputs {
  const outputs = Object.create(null) as Record<string, Value>;
  const outputErrors: Record<string, string> = {};
  for (const output of inside.plan.definition.outputs.values()) {
    const value = whenKnown(() => evaluateOutput(output, scope));
    if (value instanceof UnknownRead) {
      outputs[output.name] = unknownValue(() => value.about);
      continue;
    }
    outputs[output.name] = value.ok ? value.value : null;
    if (!value.ok) outputErrors[output.name] = value.error;
  }
  return { outputs, outputErrors };
}

function evaluateOutput(output: OutputDeclaration, scope: Scope): Result<Value, string> {
  const asked = output.condition === undefined ? undefined : evaluate(output.condition.expression, scope);
  if (asked?.ok && (typeof asked.value === "boolean" || asked.value === null)) return ok(asked.value);
  if (asked !== undefined && output.condition !== undefined) {
    const { expression, text } = output.condition;
    // `not ${x}` and `${a} and ${b}` can be prose about values; a comparison is a question and nothing else.
    const isProse = !asked.ok && asked.error.code === "wrong-type" && expression.kind !== "comparison";
    if (!asked.ok && (output.type === "boolean" || !isProse)) return err(quoteSource(text, asked.error));
    if (asked.ok) return convertToDataType(asked.value, "boolean");
  }
  const resolved = resolveValue(output.value, scope);
  if (!resolved.ok) return err(resolved.error.message);
  if (output.type === undefined || resolved.value === null) return resolved;
  return convertToDataType(resolved.value, output.type);
}

/** What follows when the latest pass of a repeated block has ended: its ending, or another pass after so many milliseconds. */
export type RepeatConclusion = { readonly ending: Ending } | { readonly delayMs: number };

export function concludeRepeat(node: RunNode, inside: LoopInside, repeat: Repeat, runId: string): RepeatConclusion {
  const cancelled = cancelReason(node);
  const last = inside.passes.at(-1) as RunNode;
  if (cancelled !== undefined || last.record.metadata.status === "failed") {
    return { ending: concludeLoop(node, inside) };
  }
  if (last.record.metadata.skipped) {
    return { ending: stopped({ cause: "cancelled", message: reasonToWithdraw(node).message }) };
  }
  if (repeat.until !== undefined) {
    const verdict = judgeCondition(repeat.until, WorkflowScope.judging(last, runId, last), "repeat.until");
    if (!verdict.ok) return { ending: crashed(verdict.error) };
    if (verdict.value) return { ending: succeeded };
  }
  const scope = WorkflowScope.ofBlock(node, runId);
  const most = resolvePasses(repeat, scope);
  const delay = resolveDelay("repeat.delay", repeat.delay, scope, 0);
  if (!most.ok) return { ending: crashed(most.error) };
  if (!delay.ok) return { ending: crashed(delay.error) };
  if (inside.passes.length < most.value) return { delayMs: delay.value };
  if (repeat.until === undefined) return { ending: concludeLoop(node, inside) };
  const times = most.value === 1 ? "1 pass" : `${most.value} passes`;
  return { ending: operationFailed(`not met after ${times}: ${quoteCondition(repeat.until)}`) };
}

/** How many passes there may be. */
export function resolvePasses({ max }: Repeat, scope: Scope): Result<number, string> {
  return resolveCount("repeat.max", max, scope, mostPasses);
}

/** How a loop all of whose passes have ended has gone. */
export function concludeLoop(node: RunNode, inside: LoopInside): Ending {
  const crashedPasses: RunNode[] = [];
  const failedPasses: RunNode[] = [];
  for (const pass of inside.passes) {
    const { metadata } = pass.record;
    if (metadata.status === "failed") crashedPasses.push(pass);
    else if (metadata.outcome === "failure") failedPasses.push(pass);
  }
  const cancelled = cancelReason(node);
  if (cancelled !== undefined) return stopped(cancelled);
  if (crashedPasses.length > 0) return crashed(summarise(crashedPasses));
  if (failedPasses.length > 0) return operationFailed(summarise(failedPasses));
  return succeeded;
}
