import { findRunId } from "../runs/find-run-id.ts";
import { findRun } from "../runs/read-run.ts";
import { rerunRun } from "../runs/rerun-run.ts";
import type { AddCommand, CliContext } from "./context.ts";
import { chooseView, driveAndReport, listenerOf, type ShowOptions } from "./drive-run.ts";
import { refuse } from "./print-diagnostics.ts";

interface Options extends ShowOptions {
  readonly from?: string;
}

export const addRerunCommand: AddCommand = (program, context, end) => {
  program
    .command("rerun")
    .description("make a new run of the same definition and inputs; files are not restored")
    .argument("<run>", "run id")
    .option("--from <block>", "begin with this block and what depends on it, and reuse the results of everything else")
    .option("--json", "print one JSON document when it ends")
    .option("--detailed", "with --json: include every block's record")
    .action(async (run: string, options: Options) => end(await rerun(run, options, context)));
};

async function rerun(run: string, options: Options, context: CliContext): Promise<number> {
  const { platform, terminal, openRuntime } = context;
  const json = options.json === true;
  const runId = await findRunId(platform, run);
  if (!runId.ok) return refuse([runId.error], json, terminal);
  const found = await findRun(platform, runId.value);
  if (!found.ok) return refuse([found.error], json, terminal);
  const runtime = openRuntime(found.value.workspace);
  const view = chooseView(options, context);
  const from = options.from === undefined ? {} : { from: options.from };
  const begun = await rerunRun(runtime, runId.value, { ...from, ...listenerOf(view) });
  if (!begun.ok) return refuse([begun.error], json, terminal);
  view.say(`A new run, ${begun.value.runId}, of ${runId.value}. Files are as they are now: nothing is restored.`);
  return driveAndReport(runtime, begun.value, view, options, context);
}
