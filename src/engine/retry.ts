import { createHash } from "node:crypto";
import { mostAttempts, parseCount, parseDelay } from "../definition/retry-values.ts";
import { resolveValue, type ValueTemplate } from "../definition/value-template.ts";
import type { Retry, RetryReason } from "../definition/workflow-definition.ts";
import type { Scope } from "../expression/ast.ts";
import { describeValue } from "../expression/format-value.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import { err, ok, type Result } from "../util/result.ts";
import type { Ending } from "./execution.ts";
import { attemptAddress, cancelReasonAround, childNodes, hasActed, isLoop, type RunNode } from "./run-node.ts";
import { WorkflowScope } from "./scope.ts";
import { isInStoppedLoop } from "./skip-reasons.ts";

/** What came of an attempt. */
export interface AttemptResult {
  readonly ending: Ending;
  readonly outputs: ValueMap | undefined;
  /** How long the other side asks to wait. */
  readonly retryAfterMs?: number | undefined;
}

const defaultDelayMs = 1000;

/**
 * How long to wait before the block is tried again; undefined if it is not. Of passes each is tried for itself. What was ended
 * from outside is not tried again, and after an interruption `on_interrupted` has decided already.
 */
export function planRetry(node: RunNode, result: AttemptResult, runId: string): Result<number | undefined, string> {
  const retry = node.block?.definition.retry;
  if (retry === undefined || isLoop(node) || !isWanted(retry, node, result)) return ok(undefined);
  if (cancelReasonAround(node) !== undefined || isInStoppedLoop(node) || isTakenOver(node)) return ok(undefined);
  const scope = WorkflowScope.ofBlock(node, runId);
  const most = resolveCount("retry.attempts", retry.attempts, scope, mostAttempts);
  if (!most.ok) return most;
  const { attempts } = node.record.metadata;
  if (attempts >= most.value) return ok(undefined);
  const delay = delayBefore(attempts, retry, scope);
  if (!delay.ok || result.retryAfterMs !== undefined) return delay.ok ? ok(result.retryAfterMs) : delay;
  return ok(Math.round(delay.value * (1 + retry.jitter * (2 * fractionOf(runId, attemptAddress(node)) - 1))));
}

/** Whether it failed before all its attempts were made, because something around it was ended. */
export function wasCutShort(node: RunNode, runId: string): boolean {
  const retry = node.block?.definition.retry;
  if (retry === undefined || (cancelReasonAround(node) === undefined && !isInStoppedLoop(node))) return false;
  const most = resolveCount("retry.attempts", retry.attempts, WorkflowScope.ofBlock(node, runId), mostAttempts);
  return !most.ok || node.record.metadata.attempts < most.value;
}

/** Whether all that is in it comes from another run, which has tried it as often as it could. */
function isTakenOver(node: RunNode): boolean {
  return childNodes(node).some(({ record }) => record.metadata.reused === true) && !hasActed(node);
}

function delayBefore(attempts: number, retry: Retry, scope: Scope): Result<number, string> {
  const delay = resolveDelay("retry.delay", retry.delay, scope, defaultDelayMs);
  const longest = resolveDelay("retry.max_delay", retry.maxDelay, scope, Number.POSITIVE_INFINITY);
  if (!delay.ok || !longest.ok) return delay.ok ? longest : delay;
  const factor = retry.backoff === "exponential" ? 2 ** (attempts - 1) : 1;
  return ok(Math.min(delay.value * factor, longest.value, longestDelayMs));
}

/** However often a delay is doubled. */
const longestDelayMs = 30 * 24 * 3600 * 1000;

export function resolveDelay(
  name: string,
  template: ValueTemplate | undefined,
  scope: Scope,
  otherwise: number,
): Result<number, string> {
  if (template === undefined) return ok(otherwise);
  return resolve(name, template, scope, (value) => {
    const delay = parseDelay(value);
    return delay.ok ? delay : err(`${delay.error}, not ${describeValue(value)}`);
  });
}

export function resolveCount(
  name: string,
  template: ValueTemplate,
  scope: Scope,
  most: number,
): Result<number, string> {
  return resolve(name, template, scope, (value) => parseCount(value, most));
}

function resolve(
  name: string,
  template: ValueTemplate,
  scope: Scope,
  parse: (value: Value) => Result<number, string>,
): Result<number, string> {
  const resolved = resolveValue(template, scope);
  if (!resolved.ok) return err(`${name}: ${resolved.error.message}`);
  const parsed = parse(resolved.value);
  return parsed.ok ? parsed : err(`${name}: ${parsed.error}.`);
}

/** The same for one attempt whoever asks, and different for those that fail at the same time. */
function fractionOf(runId: string, address: string): number {
  return createHash("sha256").update(`${runId}\n${address}`).digest().readUInt32BE() / 2 ** 32;
}

function isWanted({ on }: Retry, node: RunNode, result: AttemptResult): boolean {
  const { ending } = result;
  if (ending.outcome === "success") return false;
  if (ending.status === "failed" && ending.cause !== undefined && ending.cause !== "timeout") return false;
  if (on === undefined) return ending.outcome === "failure" || isTimeout(node, ending);
  return on.some((reason) => fits(reason, node, result));
}

function fits(reason: RetryReason, node: RunNode, { ending, outputs }: AttemptResult): boolean {
  switch (reason.kind) {
    case "timeout":
      return isTimeout(node, ending);
    case "failure":
      return ending.outcome === "failure";
    case "crash":
      return ending.status === "failed" && ending.cause === undefined;
    case "exit":
      return outputs?.exit_code === reason.code;
    case "http":
      return outputs?.status_code === reason.code;
    case "text":
      return ending.message?.includes(reason.text) ?? false;
  }
}

function isTimeout(node: RunNode, ending: Ending): boolean {
  if (ending.status !== "failed") return false;
  return ending.cause === "timeout" || isBecauseOf(node, (child) => child.cause === "timeout");
}

/** What holds blocks could not run because of some of them. */
function isBecauseOf(node: RunNode, isReason: (child: RunNode) => boolean): boolean {
  const failed = childNodes(node).filter(({ record }) => record.metadata.status === "failed");
  return failed.length > 0 && failed.every((child) => isReason(child) || isBecauseOf(child, isReason));
}
