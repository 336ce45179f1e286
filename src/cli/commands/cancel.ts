import { cancelPatienceMs, cancelRun } from "../../runs/cancel-run.ts";
import { findRunId } from "../../runs/find-run-id.ts";
import { findRun } from "../../runs/read-run.ts";
import { waitForRun } from "../../runs/wait-for-run.ts";
import { describeUnread } from "../../views/response.ts";
import { type AddCommand, type CliContext, exitCodes } from "../context.ts";
import type { ShowOptions } from "../drive-run.ts";
import { printJson, refuse } from "../print-diagnostics.ts";
import { reportStored } from "../report-stored.ts";
import { listenerOf, silentView } from "../run-view.ts";

export const addCancelCommand: AddCommand = (program, context, end) => {
  program
    .command("cancel")
    .description(
      "end a run early, whichever process drives it; what it has changed stays; a second time ends its finally too",
    )
    .argument("<run>", "run id")
    .option("--json", "print the run as one JSON document")
    .action(async (run: string, options: ShowOptions) => end(await cancel(run, options, context)));
};

async function cancel(run: string, options: ShowOptions, context: CliContext): Promise<number> {
  const { platform, terminal, openRuntime } = context;
  const json = options.json === true;
  const runId = await findRunId(platform, run);
  if (!runId.ok) return refuse([runId.error], json, terminal);
  const found = await findRun(platform, runId.value);
  if (!found.ok) return refuse([found.error], json, terminal);
  const runtime = openRuntime(found.value.workspace);
  const cancelled = await cancelRun(runtime, runId.value, listenerOf(silentView));
  if (!cancelled.ok) return refuse([cancelled.error], json, terminal);
  if (cancelled.value === "ended-before" && !json) terminal.write("It had ended already: nothing has changed.\n");
  if (cancelled.value === "ended-unread") return reportUnread(runId.value, json, context);
  if (cancelled.value === "posted") await waitForRun(platform, runId.value, cancelPatienceMs);
  await reportStored(runtime, runId.value, options, context);
  return exitCodes.success;
}

function reportUnread(runId: string, json: boolean, { terminal }: CliContext): number {
  const response = describeUnread(runId);
  if (json) printJson(response, terminal);
  else terminal.write(`${response.message}\n`);
  return exitCodes.success;
}
