import {
  type CallToolResult,
  type InputRequest,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import type { RunSummary } from "../journal/journal.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { continueRun } from "../runs/continue-run.ts";
import { isOverdue } from "../runs/read-run.ts";
import { Audience } from "../runs/run-host.ts";
import { defined } from "../util/defined.ts";
import { toReply } from "../views/reply.ts";
import type { WorkflowResponse } from "../views/response.ts";
import { cancelHere } from "./cancel-here.ts";
import { describeNow } from "./describe-now.ts";
import { fitReply } from "./fit-reply.ts";
import { reachRun } from "./reach-run.ts";
import { answerRound } from "./rounds.ts";
import type { ServerContext } from "./server-context.ts";
import { elicitAll, toolResult } from "./wire.ts";

/**
 * A task is a run as the tasks extension sees it; its id is the run's. It is in the journal before the client hears of it, so any
 * server of the same state directory can be asked about it.
 */
export interface Task {
  readonly taskId: string;
  readonly status: "working" | "input_required" | "completed" | "cancelled" | "failed";
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly ttlMs: number;
  readonly pollIntervalMs: number;
}

export interface DetailedTask extends Task {
  readonly result?: CallToolResult;
  readonly error?: { readonly code: number; readonly message: string };
  readonly inputRequests?: Readonly<Record<string, InputRequest>>;
}

const pollIntervalMs = 500;

/** The task for a run that has just begun, or goes on. What it asks or gives is asked for later. */
export async function createTask(runId: string, context: ServerContext): Promise<Task> {
  const run = await findTask(runId, context);
  const { status, statusMessage } = await describeStatus(run, context);
  return { ...describeRecord(run, context), status, ...defined({ statusMessage }) };
}

export async function getTask(taskId: string, context: ServerContext): Promise<DetailedTask> {
  const run = await findTask(taskId, context);
  const status = await describeStatus(run, context);
  const remark = status.status === "input_required" ? remarksOf(context).get(taskId) : undefined;
  const told = remark === undefined ? {} : { statusMessage: `${remark} ${status.statusMessage ?? ""}`.trim() };
  return { ...describeRecord(run, context), ...status, ...told };
}

/** By task, what was said instead of an answer: an update has no reply that could tell. */
const remarks = new WeakMap<ServerContext, Map<string, string>>();

function remarksOf(context: ServerContext): Map<string, string> {
  const known = remarks.get(context) ?? new Map<string, string>();
  remarks.set(context, known);
  return known;
}

function describeRecord(
  { runId, startedAt, updatedAt }: RunSummary,
  { platform }: ServerContext,
): Omit<Task, "status"> {
  const { maxAgeMs: ttlMs } = platform.retention;
  return { taskId: runId, createdAt: startedAt, lastUpdatedAt: updatedAt, ttlMs, pollIntervalMs };
}

type Status = Pick<DetailedTask, "status" | "statusMessage" | "result" | "error" | "inputRequests">;

async function describeStatus(run: RunSummary, context: ServerContext): Promise<Status> {
  try {
    const described = await describeNow(run.runId, "minimal", context);
    if (!described.ok) return unreadable(described.error.message);
    const isLeft = run.queue === null && isOverdue(run, context.platform) && !context.host.wakes(run.runId);
    return statusFor(described.value, run, isLeft);
  } catch (error) {
    return unreadable(error instanceof Error ? error.message : String(error));
  }
}

/** A workflow that fails is a result like any other; a task fails when there can be none. */
function unreadable(message: string): Status {
  return { status: "failed", error: { code: ProtocolErrorCode.InternalError, message } };
}

/** `isLeft`: it was to go on by now, and nobody is about to wake it. */
function statusFor(response: WorkflowResponse, run: RunSummary, isLeft: boolean): Status {
  const { fence } = run;
  const { status, pending = [], message = "" } = response;
  switch (status) {
    case "running":
      return { status: "working" };
    case "queued":
      return { status: "working", statusMessage: message };
    case "sleeping":
      if (!isLeft) return { status: "working", statusMessage: message };
      return { status: "input_required", statusMessage: message, inputRequests: { [goOnKey(fence)]: whetherToWake } };
    case "paused":
      return { status: "input_required", statusMessage: message, inputRequests: elicitAll(pending, run) };
    case "interrupted":
      return { status: "input_required", statusMessage: message, inputRequests: { [goOnKey(fence)]: whetherToGoOn } };
    default:
      if (response.cancelled) return { status: "cancelled", statusMessage: response.error ?? "cancelled" };
      return { status: "completed", result: toolResult(fitReply(toReply(response), "minimal"), status === "failure") };
  }
}

/**
 * Answers what the task asks. What is not asked, or no longer, is passed over; an answer that does not fit is refused, because a
 * client whose answer is taken does not ask its user again.
 */
export async function updateTask(
  taskId: string,
  responses: Readonly<Record<string, unknown>>,
  context: ServerContext,
): Promise<void> {
  const run = await findTask(taskId, context);
  const round = await answerRound({ runId: taskId }, responses, context);
  if (round.remarks.length === 0) remarksOf(context).delete(taskId);
  else remarksOf(context).set(taskId, round.remarks.join(" "));
  const { misfits } = round;
  if (misfits.size > 0) throw misfitting(misfits);
  const decision = inputResponse(responses, goOnKey(run.fence));
  if (decision.kind !== "elicit" || decision.action !== "accept") return;
  if (decision.content?.decision === "cancel") return cancelTask(taskId, context);
  const audience = new Audience();
  const continued = await continueRun(context.openRuntime(run.workspace), taskId, audience);
  if (!continued.ok) context.log("warn", continued.error.message);
  else if (continued.value !== undefined) context.host.take(continued.value, audience);
}

function misfitting(misfits: ReadonlyMap<string, string>): ProtocolError {
  const each = [...misfits].map(([key, message]) => `The answer to '${key}' is not taken: ${message}`);
  return new ProtocolError(ProtocolErrorCode.InvalidParams, each.join(" "));
}

export async function cancelTask(taskId: string, context: ServerContext): Promise<void> {
  const { workspace } = await findTask(taskId, context);
  const cancelled = await cancelRun(context.openRuntime(workspace), taskId, cancelHere(context));
  if (!cancelled.ok) context.log("warn", cancelled.error.message);
}

/** One for each time its process was lost or did not wake it, so that no key is used twice. */
function goOnKey(fence: number): string {
  return `go_on_${fence}`;
}

const whetherToGoOn: InputRequest = askToGoOn("The process that drove this run is gone.");
const whetherToWake: InputRequest = askToGoOn("This run should have gone on by now, and no process woke it.");

function askToGoOn(reason: string): InputRequest {
  return inputRequired.elicit({
    message: `${reason} Shall it go on from where it was, or be cancelled?`,
    requestedSchema: {
      type: "object",
      properties: { decision: { type: "string", title: "Decision", enum: ["go on", "cancel"] } },
      required: ["decision"],
    },
  });
}

async function findTask(taskId: string, context: ServerContext): Promise<RunSummary> {
  const run = await reachRun(taskId, context);
  if (run.ok && run.value.runId === taskId) return run.value;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no task '${taskId}'.`);
}
