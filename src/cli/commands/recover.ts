import type { Problem } from "../../diagnostic/problem.ts";
import { paint } from "../../diagnostic/style.ts";
import type { DrivenRun } from "../../runs/driven-run.ts";
import { unreadableCode } from "../../runs/read-run.ts";
import { findLeft } from "../../runs/recover-runs.ts";
import { type TakeOverOptions, takeOver } from "../../runs/take-over.ts";
import { toReply } from "../../views/reply.ts";
import type { WorkflowResponse } from "../../views/response.ts";
import { lookAt } from "../../views/shown-run.ts";
import { outputOfMany } from "../choose-view.ts";
import { type AddCommand, type CliContext, exitCodes } from "../context.ts";
import { exitCodeOf, type ShowOptions } from "../drive-run.ts";
import { nextSteps } from "../next-steps.ts";
import { logsOption, verboseOption } from "../options/logs-options.ts";
import { explainForTerminal, printJson } from "../print-diagnostics.ts";
import { describeNextSteps, printResult } from "../print-result.ts";
import { listenerOf } from "../run-view.ts";
import { cleanLine } from "../text/visible-text.ts";
import { onInterruptedOption } from "./resume.ts";

interface Options extends ShowOptions {
  readonly onInterrupted?: NonNullable<TakeOverOptions["onInterrupted"]>;
}

type LeftRun = Awaited<ReturnType<typeof findLeft>>["here"][number];

export const addRecoverCommand: AddCommand = (program, context, end) => {
  program
    .command("recover")
    .description(
      "take over every run whose process is gone, or whose time to go on has come, and drive them until they end, wait for an answer or sleep",
    )
    .addOption(onInterruptedOption())
    .addOption(logsOption())
    .addOption(verboseOption())
    .option("--json", "print one JSON document when all have ended or wait")
    .option("--detailed", "with --json: include every block's record")
    .action(async (options: Options) => end(await recover(options, context)));
};

async function recover(options: Options, context: CliContext): Promise<number> {
  const { platform, terminal } = context;
  const driven = new Set<DrivenRun>();
  const stopping = new AbortController();
  let isHungUp = false;
  const stopListening = context.onInterrupt((interrupt) => {
    if (!stopping.signal.aborted) {
      terminal.writeError("Stopping: the runs stay as they are, and can be recovered again.\n");
      isHungUp = interrupt === "hang-up";
    }
    stopping.abort();
    for (const run of driven) void run.stop();
  });
  try {
    const { here, elsewhere } = await findLeft(platform);
    const responses = await Promise.all(
      here.map((run) => {
        if (options.json !== true)
          terminal.write(`${paint("recover", "bold", terminal.colour)} ${run.workflow} ${run.runId}\n`);
        return recoverOne(run, driven, stopping.signal, options, context);
      }),
    );
    const left = elsewhere.map(({ runId, workflow, host }) => ({ run_id: runId, workflow, host }));
    if (options.json) {
      const runs = responses.map((response) => toReply(response));
      printJson({ runs, ...(left.length === 0 ? {} : { left }) }, terminal);
    } else {
      for (const { run_id, workflow, host } of left) {
        terminal.write(
          `left ${cleanLine(workflow)} ${run_id}: its files are on ${cleanLine(host ?? "")}. Recover it there.\n`,
        );
      }
      if (responses.length + left.length === 0) terminal.write("No run is interrupted or overdue.\n");
    }
    if (stopping.signal.aborted) return isHungUp ? exitCodes.hungUp : exitCodes.cancelled;
    return worstOf(responses);
  } finally {
    stopListening();
  }
}

async function recoverOne(
  { runId, workflow, workspace }: LeftRun,
  driven: Set<DrivenRun>,
  stopping: AbortSignal,
  options: Options,
  { terminal, openRuntime }: CliContext,
): Promise<WorkflowResponse> {
  const { onInterrupted } = options;
  const rule = onInterrupted === undefined ? {} : { onInterrupted };
  // Many go on at the same time, and a workflow may be among them more than once.
  const view = outputOfMany(options, (path) => `${runId} ${path}`, terminal);
  const response = await drive();
  await view.end();
  if (options.json !== true) {
    printResult(response, terminal);
    terminal.write(describeNextSteps(response, terminal.colour));
  }
  return response;

  async function drive(): Promise<WorkflowResponse> {
    let run: DrivenRun | undefined;
    try {
      const taken = await takeOver(openRuntime(workspace), runId, { ...listenerOf(view), ...rule });
      if (!taken.ok) return { ...describeLeft(taken.error), run_id: runId, workflow };
      run = taken.value;
      driven.add(run);
      // Whoever was told to stop while it was taken over did not know of it.
      if (stopping.aborted) void run.stop();
      await run.settled();
      const format = options.detailed ? "detailed" : "minimal";
      return await lookAt(run, (shown) => shown.describe({ format, nextSteps }));
    } catch (error) {
      // One that can't go on, whatever the reason, must not take the others with it.
      const message = error instanceof Error ? error.message : String(error);
      return { status: "interrupted", run_id: runId, workflow, error: message };
    } finally {
      if (run !== undefined) driven.delete(run);
    }
  }
}

/** One that can't be read stays interrupted; any other refusal means that somebody else was faster. */
function describeLeft(problem: Problem): WorkflowResponse {
  const { code, message, fix } = explainForTerminal(problem);
  if (code !== unreadableCode) return { status: "running", message };
  return { status: "interrupted", error: [message, fix].filter(Boolean).join(" ") };
}

function worstOf(responses: readonly WorkflowResponse[]): number {
  const codes = responses.map(exitCodeOf);
  if (codes.includes(exitCodes.failure) || codes.includes(exitCodes.cancelled)) return exitCodes.failure;
  return codes.includes(exitCodes.paused) ? exitCodes.paused : exitCodes.success;
}
