import { Option } from "commander";
import { runOfCheckpoint } from "../run/ids.ts";
import { answerQuestion } from "../service/answer-question.ts";
import { continueRun } from "../service/continue-run.ts";
import type { Engine } from "../service/engine.ts";
import { findRunId } from "../service/find-run-id.ts";
import { findRun, readRun } from "../service/read-run.ts";
import type { TakeOverOptions } from "../service/take-over.ts";
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
  const { outside, terminal, openEngine } = context;
  const json = options.json === true;
  const runId = await findRunId(outside, runOfCheckpoint(id) ?? id);
  if (!runId.ok) return refuse([runId.error], json, terminal);
  const found = await findRun(outside, runId.value);
  if (!found.ok) return refuse([found.error], json, terminal);
  const engine = openEngine(found.value.workspace);
  const pendingId = id.startsWith("pause_") ? id : onlyQuestion(found.value.pending, options);
  if (pendingId !== undefined && options.response !== undefined) {
    return answer(engine, pendingId, options.response, options, context);
  }
  return goOn(engine, runId.value, pendingId, options, context);
}

/** An answer to a run that asks one thing needs no name. */
function onlyQuestion(pending: readonly { readonly id: string }[], { response }: Options): string | undefined {
  return response !== undefined && pending.length === 1 ? pending[0]?.id : undefined;
}

async function answer(
  engine: Engine,
  pendingId: string,
  response: string,
  options: Options,
  context: CliContext,
): Promise<number> {
  const { terminal } = context;
  const view = chooseView(options, context);
  const given = { value: response, by: "command line", isHuman: terminal.canAsk };
  const answered = await answerQuestion(engine, pendingId, given, takeOverOptions(view, options));
  if (!answered.ok) return refuse([answered.error], options.json === true, terminal);
  if (answered.value.kind === "driven") return driveAndReport(engine, answered.value.run, view, options, context);
  if (answered.value.kind === "told") view.say("The process that drives the run has been given the answer.");
  else view.say("It has been answered before: nothing has changed.");
  return reportStored(engine, answered.value.runId, options, context);
}

async function goOn(
  engine: Engine,
  runId: string,
  pendingId: string | undefined,
  options: Options,
  context: CliContext,
): Promise<number> {
  const { terminal } = context;
  const json = options.json === true;
  const view = chooseView(options, context);
  const continued = await continueRun(engine, runId, takeOverOptions(view, options));
  if (!continued.ok) return refuse([continued.error], json, terminal);
  if (continued.value !== undefined) return driveAndReport(engine, continued.value, view, options, context);
  const read = await readRun(engine.outside, engine.workflows.catalog, runId);
  if (!read.ok) return refuse([read.error], json, terminal);
  const { state } = read.value;
  if (options.response !== undefined && state.pending.size > 1) {
    const message = `${runId} asks ${state.pending.size} questions, and the answer does not say which.`;
    const fix = `Name one of: ${[...state.pending.keys()].join(", ")}.`;
    return refuse([{ code: "which-question", level: "error", message, fix }], json, terminal);
  }
  const canAsk = terminal.canAsk && !json && state.pending.size > 0;
  const next = canAsk
    ? await askAndGoOn(engine, state, pendingId, view, context, new AbortController().signal)
    : undefined;
  return next === undefined
    ? reportStored(engine, runId, options, context)
    : driveAndReport(engine, next, view, options, context);
}

function takeOverOptions(view: Parameters<typeof listenerOf>[0], { onInterrupted }: Options): TakeOverOptions {
  return { ...listenerOf(view), ...(onInterrupted === undefined ? {} : { onInterrupted }) };
}
