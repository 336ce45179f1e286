import { Option } from "commander";
import type { Problem } from "../../diagnostic/problem.ts";
import { answerQuestion } from "../../runs/answer-question.ts";
import { chooseQuestion } from "../../runs/choose-question.ts";
import { continueRun } from "../../runs/continue-run.ts";
import { findRunId } from "../../runs/find-run-id.ts";
import { remarkOn } from "../../runs/kept-answer.ts";
import { findRun } from "../../runs/read-run.ts";
import type { Runtime } from "../../runs/runtime.ts";
import type { TakeOverOptions } from "../../runs/take-over.ts";
import { defined } from "../../util/defined.ts";
import type { Result } from "../../util/result.ts";
import { chooseView } from "../choose-view.ts";
import type { AddCommand, CliContext } from "../context.ts";
import { detachOption, driveInBackground } from "../detach-run.ts";
import { driveAndReport, type ShowOptions } from "../drive-run.ts";
import { type DotenvOptions, dotenvOption, takeDotenv } from "../options/dotenv-option.ts";
import { logsOption, verboseOption } from "../options/logs-options.ts";
import { refuse } from "../print-diagnostics.ts";
import { reportStored } from "../report-stored.ts";
import { listenerOf, silentView } from "../run-view.ts";
import { cleanLine } from "../text/visible-text.ts";
import { watchRun } from "../watch-run.ts";

interface Options extends ShowOptions, DotenvOptions {
  readonly response?: string;
  readonly detach?: true;
  readonly onInterrupted?: NonNullable<TakeOverOptions["onInterrupted"]>;
}

export const addResumeCommand: AddCommand = (program, context, end) => {
  program
    .command("resume")
    .description("go on with a run: answer what it asks, or take it over when its process is gone")
    .argument("<run|checkpoint>", "run id, or checkpoint id (pause_... or chk_...)")
    .option("-r, --response <text>", "the answer; JSON where the question has a schema")
    .addOption(onInterruptedOption())
    .addOption(dotenvOption())
    .addOption(logsOption())
    .addOption(verboseOption())
    .addOption(detachOption())
    .option("--json", "print one JSON document when it ends or waits again; with -d, when it is under way")
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
  const refused = takeDotenv(options, json, context);
  if (refused !== undefined) return refused;
  const runId = await findRunId(platform, id);
  if (!runId.ok) return refuse([runId.error], json, terminal);
  const found = await findRun(platform, runId.value);
  if (!found.ok) return refuse([found.error], json, terminal);
  const runtime = openRuntime(found.value.workspace);
  const question = chooseQuestion(found.value, id);
  const how = options.onInterrupted === undefined ? [] : [`--on-interrupted=${options.onInterrupted}`];
  if (found.value.queue !== null) return resumeForWorkers(runtime, runId.value, question, options, context);
  if (options.response === undefined) {
    if (options.detach) return driveInBackground(runtime, runId.value, { how }, options, context);
    // By the name of the run, whatever it asks by then is meant.
    const named = question.ok && question.value === id ? id : undefined;
    return goOn(runtime, runId.value, named, options, context);
  }
  if (!question.ok) return refuse([question.error], json, terminal);
  if (options.detach) {
    const given = { value: options.response, by: "command line", isHuman: terminal.canAsk };
    const task = { how, answer: { questionId: question.value, ...given } };
    return driveInBackground(runtime, runId.value, task, options, context);
  }
  return answer(runtime, question.value, options.response, options, context);
}

/** Says it to a run that workers drive, and watches how it goes on. */
async function resumeForWorkers(
  runtime: Runtime,
  runId: string,
  question: Result<string, Problem>,
  options: Options,
  context: CliContext,
): Promise<number> {
  const { terminal } = context;
  const json = options.json === true;
  const { response } = options;
  if (response === undefined) {
    const continued = await continueRun(runtime, runId, listenerOf(silentView));
    if (!continued.ok) return refuse([continued.error], json, terminal);
    return options.detach ? reportStored(runtime, runId, options, context) : watchRun(runId, options, context);
  }
  if (!question.ok) return refuse([question.error], json, terminal);
  const given = { value: response, by: "command line", isHuman: terminal.canAsk };
  const answered = await answerQuestion(runtime, question.value, given, listenerOf(silentView));
  if (!answered.ok) return refuse([answered.error], json, terminal);
  const remark = remarkOn(answered.value);
  if (remark !== undefined && !json) terminal.writeError(`${cleanLine(remark)}\n`);
  if (remark !== undefined || options.detach) return reportStored(runtime, runId, options, context, remark);
  return watchRun(runId, options, context);
}

async function answer(
  runtime: Runtime,
  questionId: string,
  response: string,
  options: Options,
  context: CliContext,
): Promise<number> {
  const { terminal } = context;
  const view = chooseView(options, context);
  const given = { value: response, by: "command line", isHuman: terminal.canAsk };
  const answered = await answerQuestion(runtime, questionId, given, takeOverOptions(view, options));
  if (!answered.ok) return refuse([answered.error], options.json === true, terminal);
  const remark = remarkOn(answered.value);
  if (remark !== undefined) view.say(remark);
  if (answered.value.kind === "driven") return driveAndReport(runtime, answered.value.run, view, options, context);
  if (remark === undefined) view.say("The process that drives the run has been given the answer.");
  return reportStored(runtime, answered.value.runId, options, context, remark);
}

async function goOn(
  runtime: Runtime,
  runId: string,
  named: string | undefined,
  options: Options,
  context: CliContext,
): Promise<number> {
  const { terminal } = context;
  const json = options.json === true;
  const view = chooseView(options, context);
  const continued = await continueRun(runtime, runId, takeOverOptions(view, options));
  if (!continued.ok) return refuse([continued.error], json, terminal);
  if (continued.value !== undefined) return driveAndReport(runtime, continued.value, view, options, context);
  // It waits for answers alone, or another process drives it.
  if (!terminal.canAsk || json) return reportStored(runtime, runId, options, context);
  return driveAndReport(runtime, runId, view, { ...options, ...defined({ question: named }) }, context);
}

function takeOverOptions(view: Parameters<typeof listenerOf>[0], { onInterrupted }: Options): TakeOverOptions {
  return { ...listenerOf(view), ...defined({ onInterrupted }) };
}
