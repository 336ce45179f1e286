import { type Problem, problem } from "../../diagnostic/problem.ts";
import { paint } from "../../diagnostic/style.ts";
import type { Value } from "../../expression/value.ts";
import type { RunListener } from "../../runs/driven-run.ts";
import { findRunId } from "../../runs/find-run-id.ts";
import { findRun } from "../../runs/read-run.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { listRuns } from "../../views/list-runs.ts";
import { ObservedRun } from "../../views/observe-run.ts";
import type { QuestionData } from "../../views/response.ts";
import { RunAsker } from "../asking/run-asker.ts";
import { chooseView } from "../choose-view.ts";
import { type AddCommand, type CliContext, exitCodes, type Interrupt } from "../context.ts";
import { type DriverReport, startDriver } from "../detach-run.ts";
import type { ShowOptions } from "../drive-run.ts";
import { type DotenvOptions, dotenvOption, takeDotenv } from "../options/dotenv-option.ts";
import { logsOption, verboseOption } from "../options/logs-options.ts";
import { refuse } from "../print-diagnostics.ts";
import { reportStored } from "../report-stored.ts";
import { describeSleep, sayAnswered } from "../run-session.ts";
import { listenerOf, type RunView } from "../run-view.ts";
import type { Terminal } from "../terminal.ts";
import { cleanLine, cleanText } from "../text/visible-text.ts";

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
  const { platform, terminal, openRuntime } = context;
  const json = options.json === true;
  // For the process that goes on with a run that is answered here.
  const refused = takeDotenv(options, json, context);
  if (refused !== undefined) return refused;
  const runId = named === undefined ? await findGoing(context) : await findRunId(platform, named);
  if (!runId.ok) return refuse([runId.error], json, terminal);
  const found = await findRun(platform, runId.value);
  if (!found.ok) return refuse([found.error], json, terminal);
  const runtime = openRuntime(found.value.workspace);
  const left = new AbortController();
  let interrupt: Interrupt | undefined;
  const stopListening = context.onInterrupt((kind) => {
    interrupt ??= kind;
    left.abort();
  });
  const view = chooseView(options, context);
  const asker = new RunAsker({
    view,
    terminal,
    canAsk: terminal.canAsk && !json,
    answer: (question, value) => answerInBackground(runId.value, question, value, view, context),
    keys: () => ["Esc later", "Ctrl-C stops watching"],
    onEnd: () => {},
  });
  try {
    const listener = listenUntilUnread(view, left, terminal);
    const { catalog } = runtime.workflows;
    const isTreeAlone = options.logs === "auto" && (terminal.isInteractive || json);
    const pastOutput = options.logs !== "none" && !isTreeAlone;
    const opened = await ObservedRun.open(platform, catalog, runId.value, { ...listener, pastOutput });
    if (!opened.ok) return refuse([opened.error], json, terminal);
    view.begin(opened.value, `Ctrl-C only stops watching ${runId.value}`);
    view.watch((events) => asker.hear(events));
    await asker.look(opened.value);
    const signal = AbortSignal.any([left.signal, terminal.gone]);
    const rest = await opened.value.untilAtRest(signal, () => asker.isBusy);
    await asker.close();
    await view.end();
    if (rest === undefined && (interrupt !== undefined || terminal.gone.aborted)) {
      return leave(runId.value, interrupt, json, terminal);
    }
    // Nobody reads what is shown.
    if (rest === undefined && left.signal.aborted) return exitCodes.success;
    if (rest?.status === "interrupted" && !json) repeatLastWords(runId.value, context);
    const isInSight = (block: string): boolean => view.isInSight?.(block) === true;
    return await reportStored(runtime, runId.value, options, context, undefined, isInSight);
  } finally {
    stopListening();
  }
}

/** A process in the background takes the answer, and goes on with a run that nobody drives: whoever watches one drives none. */
async function answerInBackground(
  runId: string,
  { checkpoint_id: questionId, block }: QuestionData,
  value: Value,
  view: RunView,
  { drivers }: CliContext,
): Promise<string | undefined> {
  const answer = { questionId, value, by: "terminal", isHuman: true };
  const started = await startDriver(runId, { answer }, drivers);
  if (!started.ok) return `No process can be started that takes the answer: ${started.error}`;
  if (started.value.report === "") return `The process that takes the answer has failed: ${drivers.lastWords(runId)}`;
  const report = JSON.parse(started.value.report) as DriverReport;
  if (report.kind !== "refused") sayAnswered(block, value, report.remark, view);
  else if (report.problem.code === "answer-refused") return report.problem.message;
  else view.say(cleanLine(report.problem.message));
  return undefined;
}

/** The run says what it has to say until nobody reads that any more. */
function listenUntilUnread(view: RunView, left: AbortController, terminal: Terminal): RunListener {
  const { onEvents, onOutput } = listenerOf(view);
  const leaveUnread = (): void => {
    if (!terminal.hasReader) left.abort();
  };
  return {
    onEvents(events) {
      onEvents(events);
      const last = events.at(-1);
      if (last?.type === "run-sleeping") view.say(describeSleep(last.wakeAt));
      leaveUnread();
    },
    onOutput(path, stream, chunk) {
      onOutput(path, stream, chunk);
      leaveUnread();
    },
  };
}

function repeatLastWords(runId: string, { drivers, terminal }: CliContext): void {
  const words = cleanText(drivers.lastWords(runId));
  if (words !== "") terminal.writeError(`The process in the background wrote:\n${words.replaceAll(/^/gm, "  ")}\n`);
}

function leave(runId: string, interrupt: Interrupt | undefined, json: boolean, terminal: Terminal): number {
  const next = `  Watch it again with: frond attach ${runId}\n  End it with: frond cancel ${runId}\n`;
  if (!json) {
    terminal.writeError(`No longer watched; the run is not cancelled.\n${paint(next, "dim", terminal.errorColour)}`);
  }
  return interrupt === "end" ? exitCodes.cancelled : exitCodes.hungUp;
}

async function findGoing({ platform }: CliContext): Promise<Result<string, Problem>> {
  const here = platform.realDirectory(".");
  const isWanted = (workspace: string): boolean => here.ok && workspace === here.value;
  const { runs } = await listRuns(platform, { statuses: ["running"], isWanted, limit: 1 });
  const [newest] = runs;
  if (newest !== undefined) return ok(newest.summary.runId);
  return err(problem("nothing-running", "No run goes on in this directory.", { kind: "list-runs" }));
}
