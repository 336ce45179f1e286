import { Option } from "commander";
import type { Diagnostic } from "../../diagnostic/diagnostic.ts";
import { readInputs } from "../../library/read-inputs.ts";
import { findRunId } from "../../runs/find-run-id.ts";
import { findRun } from "../../runs/read-run.ts";
import { foreseeRerun, type Rerun, type RerunOptions, rerunRun } from "../../runs/rerun-run.ts";
import type { Runtime } from "../../runs/runtime.ts";
import { defined } from "../../util/defined.ts";
import { describeDryRun } from "../../views/dry-run.ts";
import { askForTrust, refuseUntrusted } from "../ask-for-trust.ts";
import { chooseView } from "../choose-view.ts";
import type { AddCommand, CliContext } from "../context.ts";
import { detachOption, driveInBackground } from "../detach-run.ts";
import { driveAndReport, type ShowOptions } from "../drive-run.ts";
import { leaveToWorkers } from "../leave-to-workers.ts";
import { type DotenvOptions, dotenvOption, takeDotenv } from "../options/dotenv-option.ts";
import { logsOption, verboseOption } from "../options/logs-options.ts";
import { refuse } from "../print-diagnostics.ts";
import { reportDryRun } from "../print-dry-run.ts";
import { listenerOf, silentView } from "../run-view.ts";
import { lineWidth } from "../text/lay-out-table.ts";
import { cleanLine } from "../text/visible-text.ts";
import { wrapMessage } from "../text/wrap-message.ts";
import { parseStarter, whoStarts } from "../who-starts.ts";

interface Options extends ShowOptions, DotenvOptions {
  readonly from?: string;
  readonly file?: string;
  readonly frozen?: boolean;
  readonly all?: boolean;
  readonly plan?: true;
  readonly restore?: true;
  readonly detach?: true;
  readonly input?: readonly string[];
  readonly inputs?: string;
  readonly startedBy?: string;
}

export const addRerunCommand: AddCommand = (program, context, end) => {
  program
    .command("rerun")
    .description(
      "go on after a fix: a new run with what the files say now, which reuses the results that are still right",
    )
    .argument("<run>", "run id")
    .option("--from <block>", "run this block and what depends on it in any case")
    .addOption(new Option("--file <file>", "run this workflow file instead").conflicts("frozen"))
    .option("--frozen", "run the text as it was, whatever its file says now")
    .addOption(
      new Option("-i, --input <name=value>", "an input to change; may be repeated").argParser(
        (pair: string, pairs: readonly string[] = []) => [...pairs, pair],
      ),
    )
    .option("--inputs <file>", "JSON or YAML file with inputs to change; --input wins over it")
    .addOption(new Option("--all", "reuse nothing").conflicts("from"))
    .addOption(new Option("--restore", "first undo what the blocks that run again had changed").conflicts("plan"))
    .addOption(
      new Option("--plan", "only show what would be reused and what would run; nothing is run or changed").conflicts(
        "detailed",
      ),
    )
    .option("--started-by <who>", "who starts it, as with `frond run`", parseStarter)
    .addOption(dotenvOption())
    .addOption(logsOption())
    .addOption(verboseOption())
    .addOption(detachOption().conflicts("plan"))
    .option("--json", "print one JSON document when it ends; with -d, when the run is under way")
    .option("--detailed", "with --json: include every block's record")
    .action(async (run: string, options: Options) => end(await rerun(run, options, context)));
};

async function rerun(run: string, options: Options, context: CliContext): Promise<number> {
  const { platform, terminal, openRuntime } = context;
  const json = options.json === true;
  const refused = takeDotenv(options, json, context);
  if (refused !== undefined) return refused;
  const runId = await findRunId(platform, run);
  if (!runId.ok) return refuse([runId.error], json, terminal);
  const found = await findRun(platform, runId.value);
  if (!found.ok) return refuse([found.error], json, terminal);
  const { workspace } = found.value;
  const { from, file, frozen, all, restore } = options;
  const given = { pairs: options.input ?? [], ...defined({ file: options.inputs }) };
  const begin = (): Promise<number | readonly Diagnostic[]> => {
    const runtime = openRuntime(workspace);
    const workflow = file === undefined ? undefined : runtime.workflows.findTarget(file);
    const inputs: RerunOptions["inputs"] = (plan) => readInputs(given, plan, runtime.workflows);
    const how = { from, frozen, all, restore, workflow, inputs, startedBy: whoStarts(options.startedBy, context) };
    return options.plan
      ? foretellRerun(runtime, runId.value, how, json, context)
      : startRerun(runtime, runId.value, how, options, context);
  };
  for (;;) {
    const ended = await begin();
    if (typeof ended === "number") return ended;
    const answer = json ? "not asked" : await askForTrust(ended, context);
    if (answer !== "trusted") return refuseUntrusted(ended, answer, json, context);
  }
}

/** What it would do. The exit code, or why it could not be started. */
export async function foretellRerun(
  runtime: Runtime,
  runId: string,
  how: Omit<RerunOptions, "trust">,
  json: boolean,
  { terminal }: CliContext,
): Promise<number | readonly Diagnostic[]> {
  const { signal } = new AbortController();
  const foreseen = await foreseeRerun(runtime, runId, { ...how, trust: "any-file", signal });
  if (!foreseen.ok) return foreseen.error;
  const { dryRun } = foreseen.value;
  if (!json) {
    const remark = describeRerun(`A rerun of ${runId}.`, runId, foreseen.value);
    terminal.write(`${wrapMessage(remark, lineWidth(terminal)).join("\n")}\n\n`);
  }
  return reportDryRun(describeDryRun(dryRun), json, terminal);
}

/** The exit code, or why nothing was started. */
export async function startRerun(
  runtime: Runtime,
  runId: string,
  how: Omit<RerunOptions, "trust">,
  options: ShowOptions & { readonly detach?: true },
  context: CliContext,
): Promise<number | readonly Diagnostic[]> {
  const { terminal } = context;
  const view = options.detach ? silentView : chooseView(options, context);
  const listener = listenerOf(view);
  let unsaid: string | undefined;
  const begun = await rerunRun(runtime, runId, {
    ...how,
    trust: "any-file",
    traceParent: context.traceParent,
    ...defined({ detached: options.detach }),
    ...listener,
    onEvents(events) {
      // Nothing is heard of the run before it is driven, and what is said of it stands below the line that names it.
      if (unsaid === undefined) return listener.onEvents(events);
      listener.onEvents(events.slice(0, 1));
      view.say(unsaid);
      unsaid = undefined;
      listener.onEvents(events.slice(1));
    },
  });
  if (!begun.ok) return begun.error;
  const { run, runId: made, isQueued } = begun.value;
  const remark = describeRerun(`${made} is a rerun of ${runId}.`, runId, begun.value);
  if (options.detach) {
    // The id alone is the result.
    if (!options.json) terminal.writeError(`${wrapMessage(remark, lineWidth(terminal)).join("\n")}\n`);
    return isQueued ? leaveToWorkers(made, options, context) : driveInBackground(runtime, made, {}, options, context);
  }
  if (run === undefined) {
    view.say(remark);
    await view.end();
    return leaveToWorkers(made, options, context);
  }
  unsaid = remark;
  return driveAndReport(runtime, run, view, options, context);
}

function describeRerun(
  what: string,
  before: string,
  { changed, dropped, left, restoredBy }: Pick<Rerun, "changed" | "dropped" | "left" | "restoredBy">,
): string {
  const texts = changed.map(cleanLine).join(", ");
  const about = [
    what,
    ...(changed.length === 0 ? [] : [`Changed since: ${texts}.`]),
    ...(dropped.length === 0 ? [] : [`No longer an input: ${dropped.join(", ")}.`]),
    restoredBy === undefined
      ? "Files are as they are now: nothing is restored."
      : `${restoredBy} has undone what the blocks that run again had changed.`,
  ].join(" ");
  if (left === undefined) return about;
  return `${about}\n${before} is still ${left}. If it is no longer needed, run: frond cancel ${before}`;
}
