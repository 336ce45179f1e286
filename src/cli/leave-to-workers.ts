import { paint } from "../diagnostic/style.ts";
import { describeWait } from "../runs/choose-queue.ts";
import { findRun } from "../runs/read-run.ts";
import { type CliContext, exitCodes } from "./context.ts";
import type { ShowOptions } from "./drive-run.ts";
import { printJson, refuse } from "./print-diagnostics.ts";
import { cleanLine } from "./text/visible-text.ts";
import { watchRun } from "./watch-run.ts";

interface Options extends ShowOptions {
  readonly detach?: true;
}

/** Says which run workers will drive, at once, so that it is known whatever happens here; then watches it, unless that is not wanted. */
export async function leaveToWorkers(runId: string, options: Options, context: CliContext): Promise<number> {
  const { platform, terminal } = context;
  const json = options.json === true;
  if (!options.detach) return watchRun(runId, options, context, true);
  const found = await findRun(platform, runId);
  if (!found.ok) return refuse([found.error], json, terminal);
  const { workflow, queue, host } = found.value;
  const workers = describeWait(queue, host);
  if (json) {
    const message = `It waits for ${workers}. Watch it with: frond attach ${runId}`;
    printJson({ status: "queued", run_id: runId, workflow, message }, terminal);
    return exitCodes.success;
  }
  // The id alone is the result.
  terminal.write(`${runId}\n`);
  const lines = [
    `${cleanLine(workflow)} waits for ${cleanLine(workers)}.`,
    `  Watch it with: frond attach ${runId}`,
    `  End it with: frond cancel ${runId}`,
  ];
  terminal.writeError(paint(`${lines.join("\n")}\n`, "dim", terminal.errorColour));
  return exitCodes.success;
}
