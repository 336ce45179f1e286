import { cancelRun } from "../service/cancel-run.ts";
import { findRunId } from "../service/find-run-id.ts";
import { findRun } from "../service/read-run.ts";
import { waitForRun } from "../service/wait-for-run.ts";
import { type AddCommand, type CliContext, exitCodes } from "./context.ts";
import { listenerOf, type ShowOptions } from "./drive-run.ts";
import { refuse } from "./print-diagnostics.ts";
import { reportStored } from "./report-stored.ts";
import { silentView } from "./run-view.ts";

export const addCancelCommand: AddCommand = (program, context, end) => {
  program
    .command("cancel")
    .description("end a run early, whichever process drives it; what it has changed stays")
    .argument("<run>", "run id")
    .option("--json", "print the run as one JSON document")
    .action(async (run: string, options: ShowOptions) => end(await cancel(run, options, context)));
};

/** More than running blocks get to stop. */
const patienceMs = 15_000;

async function cancel(run: string, options: ShowOptions, context: CliContext): Promise<number> {
  const { outside, terminal, openEngine } = context;
  const json = options.json === true;
  const runId = await findRunId(outside, run);
  if (!runId.ok) return refuse([runId.error], json, terminal);
  const found = await findRun(outside, runId.value);
  if (!found.ok) return refuse([found.error], json, terminal);
  const engine = openEngine(found.value.workspace);
  const cancelled = await cancelRun(engine, runId.value, listenerOf(silentView));
  if (!cancelled.ok) return refuse([cancelled.error], json, terminal);
  if (cancelled.value === "ended-before" && !json) terminal.write("It had ended already: nothing has changed.\n");
  if (cancelled.value === "told") await waitForRun(outside, runId.value, patienceMs);
  await reportStored(engine, runId.value, options, context);
  return exitCodes.success;
}
