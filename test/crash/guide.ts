import type { BlockPaused, RunEvent } from "../../src/engine/events.ts";
import { decisions, questionOf } from "../../src/engine/run-node.ts";
import type { RunState } from "../../src/engine/state.ts";
import type { Plan } from "../../src/plan/plan.ts";
import { answerQuestion } from "../../src/runs/answer-question.ts";
import { cancelRun } from "../../src/runs/cancel-run.ts";
import type { DrivenRun } from "../../src/runs/driven-run.ts";
import { readRun, type StoredRun } from "../../src/runs/read-run.ts";
import type { Runtime } from "../../src/runs/runtime.ts";
import { startRun } from "../../src/runs/start-run.ts";
import { type TakeOverOptions, takeOver } from "../../src/runs/take-over.ts";
import { answerTo } from "./effect.ts";
import { type Job, type Role, say } from "./protocol.ts";
import { createRandom, numberOf, pick, type Random } from "./random.ts";

/** Does to a run what its users would: starts it, takes it over, answers its questions, cancels it. */
export class Guide {
  readonly #engine: Runtime;
  readonly #job: Job;
  readonly #options: TakeOverOptions;
  readonly #random: Random;
  #run: DrivenRun | undefined;

  /** `acknowledge` hears of events as whoever shows the run would. */
  constructor(engine: Runtime, job: Job, acknowledge: (events: readonly RunEvent[]) => void) {
    this.#engine = engine;
    this.#job = job;
    this.#random = createRandom(job.seed);
    this.#options = {
      ...(job.onInterrupted === undefined ? {} : { onInterrupted: job.onInterrupted }),
      onEvents: (events) => {
        acknowledge(events);
        for (const event of events) {
          if (event.type === "block-paused") this.#hearQuestion(event);
          if (event.type === "attempt-ended") say({ say: "between attempts" });
          if (event.type === "block-sleeping") say({ say: "asleep" });
        }
      },
      onOutput() {},
    };
  }

  async play(role: Role, plan: Plan): Promise<void> {
    switch (role.kind) {
      case "drive":
        return this.#start(plan);
      case "answer":
        for (const id of role.questionIds) {
          const { state } = await this.#read(role.runId);
          if (!(await this.#answer(state, id))) return;
        }
        return this.#goOn(role.runId);
      case "cancel":
        return this.#cancel(role.runId);
    }
  }

  async #start(plan: Plan): Promise<void> {
    const { onEvents, onOutput } = this.#options;
    const { workspace } = this.#job;
    const options = { inputs: {}, workspace, idempotencyKey: "case", onEvents, onOutput };
    const started = await startRun(this.#engine, plan, options);
    if (started.ok) {
      await this.#drive(started.value);
      return this.#goOn(started.value.runId);
    }
    if (started.error.kind !== "exists") throw new Error(`The run is refused: ${JSON.stringify(started.error)}`);
    return this.#goOn(started.error.runId);
  }

  async #goOn(runId: string): Promise<void> {
    for (;;) {
      const { status, state } = await this.#read(runId);
      if (status === "success" || status === "failure") return say({ say: "ended" });
      if (status === "paused") {
        if (this.#job.answers === "none") return say({ say: "paused" });
        if (!(await this.#answer(state, pick(this.#random, [...state.questions.keys()])))) return;
      } else {
        const taken = await takeOver(this.#engine, runId, this.#options);
        if (!taken.ok) return say({ say: "refused", code: taken.error.code });
        await this.#drive(taken.value);
      }
    }
  }

  async #read(runId: string): Promise<StoredRun> {
    const { platform, workflows } = this.#engine;
    const read = await readRun(platform, workflows.catalog, runId);
    if (!read.ok) throw new Error(read.error.message);
    return read.value;
  }

  async #drive(run: DrivenRun): Promise<void> {
    this.#run = run;
    await run.settled();
    this.#run = undefined;
  }

  /** Whether the run is to be gone on with here; if not, another process drives it, or the question is no longer open. */
  async #answer(state: RunState, questionId: string): Promise<boolean> {
    const node = state.questions.get(questionId);
    const question = node === undefined ? undefined : questionOf(node);
    const value = node === undefined || question === undefined ? "" : this.#valueFor(node.path, question);
    const answered = await answerQuestion(this.#engine, questionId, { value, by: "rig", isHuman: true }, this.#options);
    if (!answered.ok) say({ say: "refused", code: answered.error.code });
    else if (answered.value.kind === "posted") say({ say: "posted", questionId });
    if (!answered.ok || answered.value.kind === "posted") return false;
    if (answered.value.kind === "answered-before") return true;
    say({ say: "answered", questionId });
    if (this.#job.answers === "through the inbox") {
      for (const other of state.questions.keys()) if (other !== questionId) await this.#answer(state, other);
    }
    await this.#drive(answered.value.run);
    return true;
  }

  #hearQuestion(question: BlockPaused): void {
    const { path, questionId } = question;
    say({ say: "asked", questionId });
    if (this.#job.answers !== "at once") return;
    this.#run?.answer(questionId, this.#valueFor(path, question), "rig").then(
      (answered) => {
        if (answered.ok) say({ say: "answered", questionId });
      },
      // Whoever drives the run hears of that too.
      () => {},
    );
  }

  /** Follows from the case and the question alone, so that every process would answer the same. */
  #valueFor(path: string, { about, question }: Pick<BlockPaused, "about" | "question">): string {
    if (about === "block") return answerTo(question.text);
    const { decisionSeed } = this.#job;
    return decisionSeed === undefined ? "rerun" : pick(createRandom(numberOf(decisionSeed, path)), decisions);
  }

  async #cancel(runId: string): Promise<void> {
    const cancelled = await cancelRun(this.#engine, runId, this.#options);
    say(cancelled.ok ? { say: "cancelled" } : { say: "refused", code: cancelled.error.code });
  }
}
