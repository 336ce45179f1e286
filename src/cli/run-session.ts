import { formatValue } from "../expression/format-value.ts";
import type { Value } from "../expression/value.ts";
import { answerQuestion } from "../runs/answer-question.ts";
import type { DrivenRun } from "../runs/driven-run.ts";
import { explainFailure } from "../runs/explain-failure.ts";
import { remarkOn } from "../runs/kept-answer.ts";
import { isHeld } from "../runs/read-run.ts";
import type { Runtime } from "../runs/runtime.ts";
import { takeWhenDue } from "../runs/take-when-due.ts";
import { waitWithin } from "../util/wait-within.ts";
import { followRun } from "../views/follow-run.ts";
import type { QuestionData } from "../views/response.ts";
import { RunAsker } from "./asking/run-asker.ts";
import { listenerOf, type RunView } from "./run-view.ts";
import type { Terminal } from "./terminal.ts";
import { formatTime } from "./text/format-time.ts";
import { cleanLine, cutToWidth } from "./text/visible-text.ts";

export interface SessionOptions {
  readonly runtime: Runtime;
  readonly runId: string;
  readonly view: RunView;
  readonly terminal: Terminal;
  /** Whether the person at the terminal is asked what the run asks. */
  readonly canAsk: boolean;
  /** The question that is asked before all others. */
  readonly firstQuestion?: string;
}

/** A process that dies says nothing, so somebody has to look. */
const lookMs = 1000;

/**
 * A run at a terminal, from here to its end or until nobody here has anything to do with it any more. It is driven here, or it rests
 * and waits for an answer or a time, or another process drives it; and it may go from each of these to each other. Whatever it
 * does, it is shown, and its questions are asked while they are open.
 */
export class RunSession {
  readonly #options: SessionOptions;
  readonly #asker: RunAsker;
  readonly #left = new AbortController();
  /** While it is driven here. */
  #run: DrivenRun | undefined;
  /** Taken by an answer or because its time has come, to be driven here next. */
  #taken: DrivenRun | undefined;
  #wake = (): void => {};
  #isToldOfSleep = false;
  #isElsewhere = false;
  #isStopped = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    const { view, terminal, canAsk, firstQuestion } = options;
    this.#asker = new RunAsker({
      terminal,
      view,
      canAsk,
      answer: (question, value) => this.#answer(question, value),
      keys: () => ["Esc later", this.#run === undefined ? "Ctrl-C leaves the run paused" : "Ctrl-C cancels the run"],
      onEnd: () => this.#wake(),
      ...(firstQuestion === undefined ? {} : { first: firstQuestion }),
    });
    view.watch((events) => this.#asker.hear(events));
  }

  /** The run, as long as it is driven here. */
  get driven(): DrivenRun | undefined {
    return this.#run;
  }

  /** Leaves a run that is not driven here as it is. */
  leave(): void {
    this.#left.abort();
  }

  /** The same for one that is driven here: running blocks are told to stop, and another process can go on with it. */
  stop(): void {
    this.#isStopped = true;
    this.leave();
    void this.#run?.stop().catch(() => {});
  }

  /** From the run that this process drives already, or as it stands in the journal. The answer is the run, if it has ended here. */
  async accompany(first?: DrivenRun): Promise<DrivenRun | undefined> {
    const { view } = this.#options;
    try {
      for (let next = first ?? (await this.#rest()); next !== undefined; next = await this.#rest()) {
        if (await this.#drive(next)) return next;
      }
      return undefined;
    } finally {
      await this.#asker.close();
      await view.end();
    }
  }

  /** Resolves to whether it has ended. */
  async #drive(run: DrivenRun): Promise<boolean> {
    const { view } = this.#options;
    this.#run = run;
    view.begin(run, `Ctrl-C cancels; if this terminal closes: frond resume ${run.runId}`);
    try {
      void this.#asker.look(run);
      // It may have been taken at that very moment.
      if (this.#isStopped) this.stop();
      return (await run.settled()) === "finished";
    } catch (error) {
      if (!this.#isStopped || explainFailure(error)?.code !== "run-stopped") throw error;
      await run.stop();
      return false;
    } finally {
      this.#run = undefined;
    }
  }

  /**
   * It is not driven here: it waits for an answer or for a time, or another process has taken it. Resolves when it is driven here
   * again, or when there is nothing to wait for.
   */
  async #rest(): Promise<DrivenRun | undefined> {
    const { runtime, runId, view } = this.#options;
    const { platform, workflows } = runtime;
    const followed = await followRun(platform, workflows.catalog, runId);
    if (followed === undefined) return undefined;
    // What is driven here is told by whoever drives it.
    const stopWatching = followed.audience.watch((events) => {
      if (this.#isElsewhere) view.onEvents(events);
      else this.#asker.hear(events);
    });
    const noLonger = new AbortController();
    const signal = AbortSignal.any([noLonger.signal, this.#left.signal]);
    const journal = await platform.journal();
    let waking: Promise<void> | undefined;
    try {
      view.begin(followed.run, "Ctrl-C leaves the run as it is");
      await this.#asker.look(followed.run);
      while (this.#taken === undefined && !this.#left.signal.aborted) {
        const summary = await journal.find(runId);
        if (summary === undefined || summary.finishedAt !== null) break;
        this.#isElsewhere = isHeld(summary, platform);
        if (!this.#isElsewhere) {
          const isWaitedFor = this.#asker.isBusy || (summary.wakeAt !== null && summary.questions.length === 0);
          if (!isWaitedFor) break;
          if (summary.wakeAt !== null) waking ??= this.#takeWhenDue(summary.wakeAt, signal);
        }
        await waitWithin(lookMs, (done) => this.#untilWoken(done, journal.subscribe(done)), this.#left.signal);
      }
    } finally {
      noLonger.abort();
      await waking;
      // Whoever ended it may have done so between two looks.
      await followed.catchUp();
      stopWatching();
      followed.stop();
      this.#isElsewhere = false;
    }
    const taken = this.#taken;
    this.#taken = undefined;
    return taken;
  }

  #untilWoken(done: () => void, unsubscribe: () => void): () => void {
    this.#wake = done;
    return () => {
      this.#wake = () => {};
      unsubscribe();
    };
  }

  async #takeWhenDue(wakeAt: string, signal: AbortSignal): Promise<void> {
    const { runtime, runId, view } = this.#options;
    if (!this.#isToldOfSleep && !this.#asker.isBusy) {
      this.#isToldOfSleep = true;
      view.say(describeSleep(wakeAt));
    }
    const taken = await takeWhenDue(runtime, runId, listenerOf(view), signal);
    if (taken !== undefined) this.#take(taken);
  }

  #take(run: DrivenRun): void {
    this.#taken = run;
    this.#wake();
  }

  async #answer({ checkpoint_id: questionId, block }: QuestionData, value: Value): Promise<string | undefined> {
    const { runtime, view } = this.#options;
    const answer = { value, by: "terminal", isHuman: true };
    const answered = await answerQuestion(runtime, questionId, answer, listenerOf(view));
    if (!answered.ok) {
      if (answered.error.code === "answer-refused") return answered.error.message;
      view.say(answered.error.message);
      return undefined;
    }
    const remark = remarkOn(answered.value);
    if (remark === undefined || this.#asker.tellsOnce(questionId))
      sayAnswered(block, value, remark, this.#options.view);
    if (answered.value.kind === "driven") this.#take(answered.value.run);
    return undefined;
  }
}

export function describeSleep(wakeAt: string): string {
  return `Nothing goes on before ${formatTime(wakeAt)}. Waiting here; Ctrl-C leaves the run asleep.`;
}

const longestAnswer = 200;

/** The form is gone in a moment, and what was answered is to be seen later; or that somebody else was faster. */
export function sayAnswered(block: string, value: Value, remark: string | undefined, view: RunView): void {
  const given = `answered ${cleanLine(block)}: ${cutToWidth(cleanLine(formatValue(value)), longestAnswer)}`;
  if (remark === undefined) view.say(given, "dim");
  else view.say(`${cleanLine(block)}: ${cleanLine(remark)}`);
}
