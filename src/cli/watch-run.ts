import { paint } from "../diagnostic/style.ts";
import type { Value } from "../expression/value.ts";
import { answerQuestion } from "../runs/answer-question.ts";
import { describeWait } from "../runs/choose-queue.ts";
import type { RunListener } from "../runs/driven-run.ts";
import { remarkOn } from "../runs/kept-answer.ts";
import { findRun, statusOf } from "../runs/read-run.ts";
import type { Runtime } from "../runs/runtime.ts";
import { ObservedRun } from "../views/observe-run.ts";
import type { QuestionData } from "../views/response.ts";
import { isAway, waitOutOutages } from "../views/wait-out-outages.ts";
import { RunAsker } from "./asking/run-asker.ts";
import { chooseView } from "./choose-view.ts";
import { type CliContext, exitCodes, type Interrupt } from "./context.ts";
import { type DriverReport, startDriver } from "./detach-run.ts";
import type { ShowOptions } from "./drive-run.ts";
import { giveUpWatching, sayAway } from "./give-up-watching.ts";
import { refuse } from "./print-diagnostics.ts";
import { reportStored } from "./report-stored.ts";
import { describeSleep, sayAnswered } from "./run-session.ts";
import { listenerOf, type RunView, silentView } from "./run-view.ts";
import type { Terminal } from "./terminal.ts";
import { cleanLine, cleanText } from "./text/visible-text.ts";

/**
 * Shows a run that others drive until it ends or waits, and says how it stands; Ctrl-C only stops watching. What one waits for that nobody
 * drives is told first; also of a new one, so that its id is known. The answer is the exit code.
 */
export async function watchRun(
  runId: string,
  options: ShowOptions,
  context: CliContext,
  isNew = false,
): Promise<number> {
  const { platform, terminal, openRuntime } = context;
  const json = options.json === true;
  const found = await findRun(platform, runId);
  if (!found.ok) return refuse([found.error], json, terminal);
  if (!json && (isNew || statusOf(found.value, platform) === "queued")) {
    const awaited = describeWait(found.value.queue, found.value.host);
    terminal.writeError(`${runId} waits for ${cleanLine(awaited)}. Ctrl-C only stops watching it.\n`);
  }
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
    answer: (question, value) =>
      found.value.queue === null
        ? answerInBackground(runId, question, value, view, context)
        : answerForWorkers(runtime, question, value, view),
    keys: () => ["Esc later", "Ctrl-C stops watching"],
    onEnd: () => {},
  });
  try {
    const listener = listenUntilUnread(view, left, terminal);
    const { catalog } = runtime.workflows;
    const isTreeAlone = options.logs === "auto" && (terminal.isInteractive || json);
    const pastOutput = options.logs !== "none" && !isTreeAlone;
    const signal = AbortSignal.any([left.signal, terminal.gone]);
    const patiently = waitOutOutages({ signal, onAway: (why) => view.say(sayAway(runId, why)) });
    const opened = await ObservedRun.open(platform, catalog, runId, { ...listener, pastOutput, patiently });
    if (!opened.ok) return refuse([opened.error], json, terminal);
    view.begin(opened.value, `Ctrl-C only stops watching ${runId}`);
    view.watch((events) => asker.hear(events));
    await asker.look(opened.value);
    const rest = await opened.value.untilAtRest(signal, () => asker.isBusy);
    await asker.close();
    await view.end();
    if (rest === undefined && (interrupt !== undefined || terminal.gone.aborted)) {
      return leave(runId, interrupt, json, terminal);
    }
    // Nobody reads what is shown.
    if (rest === undefined && left.signal.aborted) return exitCodes.success;
    if (rest?.status === "interrupted" && !json) repeatLastWords(runId, context);
    const isInSight = (block: string): boolean => view.isInSight?.(block) === true;
    return await reportStored(runtime, runId, options, context, undefined, isInSight);
  } catch (error) {
    if (!isAway(error)) throw error;
    await view.end();
    if (interrupt !== undefined || terminal.gone.aborted) return leave(runId, interrupt, json, terminal);
    return giveUpWatching(runId, error, json, terminal);
  } finally {
    stopListening();
  }
}

/** Workers go on with the run: no process is needed here. */
async function answerForWorkers(
  runtime: Runtime,
  { checkpoint_id: questionId, block }: QuestionData,
  value: Value,
  view: RunView,
): Promise<string | undefined> {
  const given = { value, by: "terminal", isHuman: true };
  const answered = await answerQuestion(runtime, questionId, given, listenerOf(silentView));
  if (answered.ok) sayAnswered(block, value, remarkOn(answered.value), view);
  else if (answered.error.code === "answer-refused") return answered.error.message;
  else view.say(cleanLine(answered.error.message));
  return undefined;
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
