import { Option } from "commander";
import { runOfCheckpoint } from "../engine/ids.ts";
import { answerQuestion } from "../runs/answer-question.ts";
import { continueRun } from "../runs/continue-run.ts";
import { findRunId } from "../runs/find-run-id.ts";
import { findRun } from "../runs/read-run.ts";
import type { Runtime } from "../runs/runtime.ts";
import type { TakeOverOptions } from "../runs/take-over.ts";
import { readShownRun } from "../views/shown-run.ts";
import type { AddCommand, CliContext } from "./context.ts";
import { askAndGoOn, chooseView, driveAndReport, listenerOf, type ShowOptions } from "./drive-run.ts";
import { refuse } from "./print-diagnostics.ts";
import { reportStored } from "./report-stored.ts";

interface Options extends ShowOptions {
  readonly response?: string;
  readonly onInterrupted?: NonNullable<TakeOverOptions["onInterrupted"]>;
}

export const addResumeCommand: AddCommand = (program, context, end) => {
  program
    .command("resume")
    .description("go on with a run: answer what it asks, or take it over when its process is gone")
    .argument("<run|checkpoint>", "run id, or checkpoint id (pause_... or chk_...)")
    .option("-r, --response <text>", "the answer; JSON where the question has a schema")
    .addOption(onInterruptedOption())
    .option("--json", "print one JSON document when it ends or waits again")
    .option("--detailed", "with --json: include every block's record")
    .action(async (id: string, options: Options) => end(await resume(id, options, context)));
};

export function onInterruptedOption(): Option {
  return new Option("--on-interrupted <what>", "what becomes of blocks that were running, whatever they say").choices([
    "rerun",
    "ask",
    "fail",
  ]);
}

async function resume(id: string, options: Options, context: CliContext): Promise<number> {
  const { platform, terminal, openRuntime } = context;
  const json = options.json === true;
  const runId = await findRunId(platform, runOfCheckpoint(id) ?? id);
  if (!runId.ok) return refuse([runId.error], json, terminal);
  const found = await findRun(platform, runId.value);
  if (!found.ok) return refuse([found.error], json, terminal);
  const runtime = openRuntime(found.value.workspace);
  const pendingId = id.startsWith("pause_") ? id : onlyQuestion(found.value.pending, options);
  if (pendingId !== undefined && options.response !== undefined) {
    return answer(runtime, pendingId, options.response, options, context);
  }
  return goOn(runtime, runId.value, pendingId, options, context);
}

/** An answer to a run that asks one thing needs no name. */
function onlyQuestion(pending: readonly { readonly id: string }[], { response }: Options): string | undefined {
  return response !== undefined && pending.length === 1 ? pending[0]?.id : undefined;
}

async function answer(
  runtime: Runtime,
  pendingId: string,
  response: string,
  options: Options,
  context: CliContext,
): Promise<number> {
  const { terminal } = context;
  const view = chooseView(options, context);
  const given = { value: response, by: "command line", isHuman: terminal.canAsk };
  const answered = await answerQuestion(runtime, pendingId, given, takeOverOptions(view, options));
  if (!answered.ok) return refuse([answered.error], options.json === true, terminal);
  if (answered.value.kind === "driven") return driveAndReport(runtime, answered.value.run, view, options, context);
  if (answered.value.kind === "told") view.say("The process that drives the run has been given the answer.");
  else view.say("It has been answered before: nothing has changed.");
  return reportStored(runtime, answered.value.runId, options, context);
}

async function goOn(
  runtime: Runtime,
  runId: string,
  pendingId: string | undefined,
  options: Options,
  context: CliContext,
): Promise<number> {
  const { terminal } = context;
  const json = options.json === true;
  const view = chooseView(options, context);
  const continued = await continueRun(runtime, runId, takeOverOptions(view, options));
  if (!continued.ok) return refuse([continued.error], json, terminal);
  if (continued.value !== undefined) return driveAndReport(runtime, continued.value, view, options, context);
  const read = await readShownRun(runtime.platform, runtime.workflows.catalog, runId);
  if (!read.ok) return refuse([read.error], json, terminal);
  const { run } = read.value;
  const questions = run.questions().map(({ checkpoint_id: id }) => id);
  if (options.response !== undefined && questions.length > 1) {
    const message = `${runId} asks ${questions.length} questions, and the answer does not say which.`;
    const fix = `Name one of: ${questions.join(", ")}.`;
    return refuse([{ code: "which-question", level: "error", message, fix }], json, terminal);
  }
  const canAsk = terminal.canAsk && !json;
  const next = canAsk
    ? await askAndGoOn(runtime, run, pendingId, view, context, new AbortController().signal)
    : undefined;
  return next === undefined
    ? reportStored(runtime, runId, options, context)
    : driveAndReport(runtime, next, view, options, context);
}

function takeOverOptions(view: Parameters<typeof listenerOf>[0], { onInterrupted }: Options): TakeOverOptions {
  return { ...listenerOf(view), ...(onInterrupted === undefined ? {} : { onInterrupted }) };
}
