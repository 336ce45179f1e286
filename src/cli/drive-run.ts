import { paint } from "../diagnostic/style.ts";
import type { Value } from "../expression/value.ts";
import { answerQuestion } from "../runs/answer-question.ts";
import { collectWhenDue } from "../runs/collect-garbage.ts";
import type { DrivenRun, RunListener } from "../runs/driven-run.ts";
import { explainFailure } from "../runs/explain-failure.ts";
import { remarkOn } from "../runs/kept-answer.ts";
import type { Runtime } from "../runs/runtime.ts";
import { takeWhenDue } from "../runs/take-when-due.ts";
import { toReply } from "../views/reply.ts";
import type { WorkflowResponse } from "../views/response.ts";
import { lookAt, readShownRun, type ShownRun } from "../views/shown-run.ts";
import { askQuestion } from "./ask-question.ts";
import { type CliContext, exitCodes } from "./context.ts";
import { formatTime } from "./format-time.ts";
import { listenForInterrupts } from "./listen-for-interrupts.ts";
import { LiveView } from "./live-view.ts";
import { nextSteps } from "./next-steps.ts";
import { PlainView } from "./plain-view.ts";
import { printJson, refuse } from "./print-diagnostics.ts";
import { printResult } from "./print-result.ts";
import { type RunView, silentView } from "./run-view.ts";
import { cleanLine } from "./visible-text.ts";

export interface ShowOptions {
  readonly json?: true;
  readonly detailed?: true;
}

/** Whoever starts or continues a run says how, given who is to hear of it. */
export function chooseView({ json }: ShowOptions, { terminal }: CliContext): RunView {
  if (json) return silentView;
  return terminal.isInteractive ? new LiveView(terminal) : new PlainView(terminal);
}

export function listenerOf(view: RunView): RunListener {
  return {
    onEvents: (events) => view.onEvents(events),
    onOutput: (path, stream, chunk) => view.onOutput(path, stream, chunk),
  };
}

/** Drives a run until it has ended or waits for an answer nobody here gives, and says how it stands. The answer is the exit code. */
export async function driveAndReport(
  runtime: Runtime,
  run: DrivenRun,
  view: RunView,
  options: ShowOptions,
  context: CliContext,
): Promise<number> {
  try {
    const response = await drive(runtime, run, view, options, context);
    report(response, options, context);
    await collectWhenDue(context.platform);
    return exitCodeOf(response);
  } catch (error) {
    const failure = explainFailure(error);
    if (failure === undefined) throw error;
    const fix = `What was recorded stays. Fix that, then run: frond resume ${run.runId}`;
    refuse([{ ...failure, fix }], options.json === true, context.terminal);
    return exitCodes.failure;
  }
}

export function report(response: WorkflowResponse, { json }: ShowOptions, { terminal }: CliContext): void {
  if (json) return printJson(toReply(response), terminal);
  printResult(response, terminal);
  const { status, message, cancelled } = response;
  // What to do next is no part of the result, which somebody may want to keep. Whoever cancels knows.
  if (status === "failure" && message !== undefined && !cancelled) {
    const sentences = cleanLine(message).replaceAll(". ", ".\n");
    terminal.writeError(paint(`${sentences}\n`, "dim", terminal.errorColour));
  }
}

async function drive(
  runtime: Runtime,
  first: DrivenRun,
  view: RunView,
  options: ShowOptions,
  context: CliContext,
): Promise<WorkflowResponse> {
  const { terminal } = context;
  let run = first;
  /** It waits for an answer or for a time. */
  let isResting = false;
  let isToldOfSleep = false;
  /** It waits for an answer that nobody gives here any more; somebody else may. */
  let isLeft = false;
  /** It sleeps, as far as is known here. */
  let isAsleep = false;
  const interrupted = new AbortController();
  const cancel = (again: boolean): void => {
    interrupted.abort();
    // A run that waits is left as it is: nothing of it runs, and it can be answered or cancelled at any time.
    if (isResting) return;
    view.say(again ? "Killing what is left." : "Cancelling: running blocks are told to stop. Ctrl-C again kills them.");
    void run.cancel("cancelled").catch(() => {});
  };
  const stopListening = listenForInterrupts(context, cancel, () => void context.platform.processes.close(0));
  try {
    const canAsk = terminal.canAsk && options.json !== true;
    for (let next: DrivenRun | undefined = run; next !== undefined; ) {
      run = next;
      view.begin(run);
      const settled = await run.settled();
      isResting = true;
      isAsleep = settled === "sleeping";
      if (settled === "paused" && canAsk) {
        view.makeRoom();
        const shown = await lookAt(run, (resting) => resting);
        next = await askAndGoOn(runtime, shown, undefined, view, context, interrupted.signal);
        isLeft = next === undefined;
      } else if (isAsleep) {
        if (!isToldOfSleep) view.say(await describeSleep(run));
        isToldOfSleep = true;
        next = await takeWhenDue(runtime, run.runId, listenerOf(view), interrupted.signal);
      } else next = undefined;
      isResting = false;
    }
    const format = options.detailed ? "detailed" : "minimal";
    // Whoever was quicker to wake or to answer it knows more of it by now.
    const isElsewhere = isLeft || (isAsleep && !interrupted.signal.aborted);
    const stored = isElsewhere ? await readShownRun(context.platform, runtime.workflows.catalog, run.runId) : undefined;
    if (stored?.ok) return stored.value.run.describe({ format, nextSteps });
    return await lookAt(run, (shown) => shown.describe({ format, nextSteps }));
  } finally {
    await view.end();
    stopListening();
  }
}

async function describeSleep(run: DrivenRun): Promise<string> {
  const wakeAt = await lookAt(run, (shown) => shown.wakeAt);
  return `Nothing goes on before ${formatTime(wakeAt ?? "")}. Waiting here; Ctrl-C leaves the run asleep.`;
}

/** The run with one of its questions answered, the first unless another is named; nothing when the person would rather answer later. */
export async function askAndGoOn(
  runtime: Runtime,
  shown: ShownRun,
  named: string | undefined,
  view: RunView,
  context: CliContext,
  signal: AbortSignal,
): Promise<DrivenRun | undefined> {
  const questions = shown.questions();
  const question = named === undefined ? questions[0] : questions.find(({ checkpoint_id: id }) => id === named);
  if (question === undefined) return undefined;
  const { checkpoint_id: id } = question;
  const refuseAnswer = (value: Value): string | undefined => shown.refuseAnswer(id, value);
  const given = await askQuestion(question, refuseAnswer, context.terminal, signal);
  if (given === undefined) return undefined;
  const answer = { value: given.answer, by: "terminal", isHuman: true };
  const answered = await answerQuestion(runtime, id, answer, listenerOf(view));
  if (!answered.ok) {
    view.say(answered.error.message);
    return undefined;
  }
  const remark = await remarkOn(runtime, id, answer, answered.value);
  if (remark !== undefined) view.say(remark);
  if (answered.value.kind === "driven") return answered.value.run;
  if (remark === undefined) view.say("Another process goes on with the run.");
  return undefined;
}

export function exitCodeOf({ status, cancelled }: WorkflowResponse): number {
  if (cancelled) return exitCodes.cancelled;
  if (status === "paused" || status === "sleeping" || status === "interrupted") return exitCodes.paused;
  return status === "failure" ? exitCodes.failure : exitCodes.success;
}
