import { type Problem, problem } from "../../diagnostic/problem.ts";
import { findRunId } from "../../runs/find-run-id.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { listRuns } from "../../views/list-runs.ts";
import type { AddCommand, CliContext } from "../context.ts";
import type { ShowOptions } from "../drive-run.ts";
import { type DotenvOptions, dotenvOption, takeDotenv } from "../options/dotenv-option.ts";
import { logsOption, verboseOption } from "../options/logs-options.ts";
import { refuse } from "../print-diagnostics.ts";
import { watchRun } from "../watch-run.ts";

interface Options extends ShowOptions, DotenvOptions {}

export const addAttachCommand: AddCommand = (program, context, end) => {
  program
    .command("attach")
    .description("watch a run that another process drives, as if it were driven here; Ctrl-C only stops watching")
    .argument("[run]", "run id; without it the newest run that goes on in this directory")
    .addOption(dotenvOption())
    .addOption(logsOption())
    .addOption(verboseOption())
    .option("--json", "print one JSON document when it ends or waits")
    .option("--detailed", "with --json: include every block's record")
    .action(async (run: string | undefined, options: Options) => end(await attach(run, options, context)));
};

async function attach(named: string | undefined, options: Options, context: CliContext): Promise<number> {
  const { platform, terminal } = context;
  const json = options.json === true;
  // For the process that goes on with a run that is answered here.
  const refused = takeDotenv(options, json, context);
  if (refused !== undefined) return refused;
  const runId = named === undefined ? await findGoing(context) : await findRunId(platform, named);
  if (!runId.ok) return refuse([runId.error], json, terminal);
  return watchRun(runId.value, options, context);
}

async function findGoing({ platform }: CliContext): Promise<Result<string, Problem>> {
  const here = platform.realDirectory(".");
  const isWanted = (workspace: string): boolean => here.ok && workspace === here.value;
  const { runs } = await listRuns(platform, { statuses: ["running", "queued"], isWanted, limit: 1 });
  const [newest] = runs;
  if (newest !== undefined) return ok(newest.summary.runId);
  return err(problem("nothing-running", "No run goes on in this directory.", { kind: "list-runs" }));
}
