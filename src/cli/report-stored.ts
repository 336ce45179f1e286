import type { Engine } from "../service/engine.ts";
import { readRun } from "../service/read-run.ts";
import { describeRun } from "../service/response.ts";
import type { CliContext } from "./context.ts";
import { exitCodeOf, report, type ShowOptions } from "./drive-run.ts";
import { nextSteps } from "./next-steps.ts";
import { refuse } from "./print-diagnostics.ts";

/** Says how a run stands, from the journal alone. */
export async function reportStored(
  engine: Engine,
  runId: string,
  options: ShowOptions,
  context: CliContext,
): Promise<number> {
  const { outside, workflows } = engine;
  const read = await readRun(outside, workflows.catalog, runId);
  if (!read.ok) return refuse([read.error], options.json === true, context.terminal);
  const { state, status } = read.value;
  const response = describeRun(state, { format: options.detailed ? "detailed" : "minimal", status, nextSteps });
  report(response, options, context);
  return exitCodeOf(response);
}
