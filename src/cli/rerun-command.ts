import { Option } from "commander";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { readInputs } from "../library/read-inputs.ts";
import { findRunId } from "../runs/find-run-id.ts";
import { findRun } from "../runs/read-run.ts";
import { type Rerun, type RerunOptions, rerunRun } from "../runs/rerun-run.ts";
import type { Runtime } from "../runs/runtime.ts";
import { defined } from "../util/defined.ts";
import { askForTrust } from "./ask-for-trust.ts";
import type { AddCommand, CliContext } from "./context.ts";
import { chooseView, driveAndReport, listenerOf, type ShowOptions } from "./drive-run.ts";
import { refuse } from "./print-diagnostics.ts";
import { cleanLine } from "./visible-text.ts";

interface Options extends ShowOptions {
  readonly from?: string;
  readonly file?: string;
  readonly frozen?: boolean;
  readonly all?: boolean;
  readonly input?: readonly string[];
  readonly inputs?: string;
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
  const { workspace } = found.value;
  const { from, file, frozen, all } = options;
  const given = { pairs: options.input ?? [], ...defined({ file: options.inputs }) };
  const begin = (): Promise<number | readonly Diagnostic[]> => {
    const runtime = openRuntime(workspace);
    const workflow = file === undefined ? undefined : runtime.workflows.findTarget(file);
    const inputs: RerunOptions["inputs"] = (plan) => readInputs(given, plan, runtime.workflows);
    return startRerun(runtime, runId.value, { from, frozen, all, workflow, inputs }, options, context);
  };
  for (;;) {
    const ended = await begin();
    if (typeof ended === "number") return ended;
    if (json || !(await askForTrust(ended, context))) return refuse(ended, json, terminal);
  }
}

/** The exit code, or why nothing was started. */
export async function startRerun(
  runtime: Runtime,
  runId: string,
  how: Omit<RerunOptions, "onEvents" | "onOutput" | "trust">,
  options: ShowOptions,
  context: CliContext,
): Promise<number | readonly Diagnostic[]> {
  const view = chooseView(options, context);
  const begun = await rerunRun(runtime, runId, { ...how, trust: "any-file", ...listenerOf(view) });
  if (!begun.ok) return begun.error;
  view.say(describeRerun(runId, begun.value));
  return driveAndReport(runtime, begun.value.run, view, options, context);
}

function describeRerun(before: string, { run, changed, dropped }: Rerun): string {
  const texts = changed.map(cleanLine).join(", ");
  return [
    `${run.runId} is a rerun of ${before}.`,
    ...(changed.length === 0 ? [] : [`Changed since: ${texts}.`]),
    ...(dropped.length === 0 ? [] : [`No longer an input: ${dropped.join(", ")}.`]),
    "Files are as they are now: nothing is restored.",
  ].join(" ");
}
