import type { Runtime } from "../runs/runtime.ts";
import { readShownRun } from "../views/shown-run.ts";
import type { CliContext } from "./context.ts";
import { exitCodeOf, report, type ShowOptions } from "./drive-run.ts";
import { nextSteps } from "./next-steps.ts";
import { refuse } from "./print-diagnostics.ts";

/** Says how a run stands, from the journal alone; in JSON with what else is to be said, which has been printed otherwise. */
export async function reportStored(
  runtime: Runtime,
  runId: string,
  options: ShowOptions,
  context: CliContext,
  remark?: string,
  isInSight?: (block: string) => boolean,
): Promise<number> {
  const { platform, workflows } = runtime;
  const read = await readShownRun(platform, workflows.catalog, runId);
  if (!read.ok) return refuse([read.error], options.json === true, context.terminal);
  const response = read.value.run.describe({ format: options.detailed ? "detailed" : "minimal", nextSteps });
  const message = [remark, response.message].filter((text) => text !== undefined).join(" ");
  report(options.json && remark !== undefined ? { ...response, message } : response, options, context, isInSight);
  return exitCodeOf(response);
}
