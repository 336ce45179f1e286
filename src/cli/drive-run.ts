import { collectWhenDue } from "../runs/collect-garbage.ts";
import type { DrivenRun } from "../runs/driven-run.ts";
import { explainFailure } from "../runs/explain-failure.ts";
import type { Runtime } from "../runs/runtime.ts";
import { defined } from "../util/defined.ts";
import { toReply } from "../views/reply.ts";
import type { WorkflowResponse } from "../views/response.ts";
import { lookAt, readShownRun } from "../views/shown-run.ts";
import { type CliContext, exitCodes } from "./context.ts";
import { listenForInterrupts } from "./listen-for-interrupts.ts";
import { nextSteps } from "./next-steps.ts";
import type { LogsOptions } from "./options/logs-options.ts";
import { printJson, refuse } from "./print-diagnostics.ts";
import { describeNextSteps, printResult } from "./print-result.ts";
import { RunSession } from "./run-session.ts";
import type { RunView } from "./run-view.ts";

export interface ShowOptions extends LogsOptions {
  readonly json?: true;
  readonly detailed?: true;
}

export interface DriveOptions extends ShowOptions {
  /** The question that is asked before all others. */
  readonly question?: string;
}

/**
 * Drives a run, or waits with one that is known by its id and rests, until it has ended or waits for an answer nobody here gives; and
 * says how it stands. The answer is the exit code.
 */
export async function driveAndReport(
  runtime: Runtime,
  run: DrivenRun | string,
  view: RunView,
  options: DriveOptions,
  context: CliContext,
): Promise<number> {
  const hungUp = new AbortController();
  try {
    const response = await drive(runtime, run, view, options, context, hungUp);
    report(response, options, context, (block) => view.isInSight?.(block) === true);
    if (hungUp.signal.aborted) return exitCodes.hungUp;
    await collectWhenDue(context.platform);
    return exitCodeOf(response);
  } catch (error) {
    const failure = explainFailure(error);
    if (failure === undefined) throw error;
    const fix = `What was recorded stays. Fix that, then run: frond resume ${typeof run === "string" ? run : run.runId}`;
    refuse([{ ...failure, fix }], options.json === true, context.terminal);
    return exitCodes.failure;
  }
}

export function report(
  response: WorkflowResponse,
  { json }: ShowOptions,
  { terminal }: CliContext,
  isInSight?: (block: string) => boolean,
): void {
  if (json) return printJson(toReply(response), terminal);
  printResult(response, terminal, isInSight);
  // What to do next is no part of the result, which somebody may want to keep.
  terminal.writeError(describeNextSteps(response, terminal.errorColour));
}

async function drive(
  runtime: Runtime,
  run: DrivenRun | string,
  view: RunView,
  options: DriveOptions,
  context: CliContext,
  hungUp: AbortController,
): Promise<WorkflowResponse> {
  const { terminal } = context;
  const runId = typeof run === "string" ? run : run.runId;
  const canAsk = terminal.canAsk && options.json !== true;
  const session = new RunSession({
    runtime,
    runId,
    view,
    terminal,
    canAsk,
    ...defined({ firstQuestion: options.question }),
  });
  const cancel = (again: boolean): void => {
    const { driven } = session;
    session.leave();
    // A run that waits is left as it is: nothing of it runs, and it can be answered or cancelled at any time.
    if (driven === undefined) return;
    view.say(again ? "Killing what is left." : "Cancelling: running blocks are told to stop. Ctrl-C again kills them.");
    void driven.cancel("cancelled").catch(() => {});
  };
  // Whoever closes a terminal has not said what is to become of the run: it is left where it is. A log may still be read.
  const hangUp = (): void => {
    hungUp.abort();
    if (session.driven !== undefined) {
      view.say("The terminal was closed: running blocks are told to stop, and the run can be resumed.");
    }
    session.stop();
  };
  const kill = (): void => void context.platform.processes.close(0);
  const stopListening = listenForInterrupts(context, { onEnd: cancel, onHangUp: hangUp, kill });
  try {
    const ended = await session.accompany(typeof run === "string" ? undefined : run);
    const described = { format: options.detailed ? "detailed" : "minimal", nextSteps } as const;
    if (ended !== undefined) return await lookAt(ended, (shown) => shown.describe(described));
    // Whoever was quicker to wake or to answer it knows more of it by now.
    const stored = await readShownRun(context.platform, runtime.workflows.catalog, runId);
    if (!stored.ok) throw new Error(stored.error.message);
    return stored.value.run.describe(described);
  } finally {
    stopListening();
  }
}

export function exitCodeOf({ status, cancelled }: WorkflowResponse): number {
  if (cancelled) return exitCodes.cancelled;
  if (status === "paused" || status === "sleeping" || status === "interrupted") return exitCodes.paused;
  return status === "failure" ? exitCodes.failure : exitCodes.success;
}
