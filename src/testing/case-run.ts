import type { RunEvent } from "../engine/events.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import type { Plan } from "../plan/plan.ts";
import { answerQuestion } from "../runs/answer-question.ts";
import type { DrivenRun, RunListener } from "../runs/driven-run.ts";
import { explainStart, type RefusedStart } from "../runs/explain-start.ts";
import type { Runtime } from "../runs/runtime.ts";
import { startRun } from "../runs/start-run.ts";
import type { QuestionData, WorkflowResponse } from "../views/response.ts";
import { lookAt, type ShownRun } from "../views/shown-run.ts";
import { findMeant } from "./address.ts";
import type { Mismatch } from "./compare.ts";

/** A run of a case, as far as it got. */
export interface CaseRun {
  readonly response: WorkflowResponse;
  /** Absent when it was refused before it began. */
  readonly run?: ShownRun;
  readonly events: readonly RunEvent[];
  /** What went wrong with the answers. */
  readonly mismatches: readonly Mismatch[];
}

export interface CaseRunOptions {
  readonly inputs: ValueMap;
  readonly workspace: string;
  readonly answers: ReadonlyMap<string, Value>;
  readonly signal: AbortSignal;
}

/** Runs a workflow until it has ended, or asks something that the case has no answer to. */
export async function runForCase(runtime: Runtime, plan: Plan, options: CaseRunOptions): Promise<CaseRun> {
  const events: RunEvent[] = [];
  const listener: RunListener = { onEvents: (group) => void events.push(...group), onOutput() {} };
  const { inputs, workspace, signal } = options;
  const started = await startRun(runtime, plan, { inputs, workspace, ...listener });
  if (!started.ok) {
    if (started.error.kind === "exists") throw new Error("A case has no idempotency key.");
    return { response: { status: "failure", error: explainRefusal(started.error) }, events, mismatches: [] };
  }
  let run = started.value;
  const cancel = (): void => void run.cancel(String(signal.reason)).catch(() => {});
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  const answering = new Answering(runtime, listener, options.answers);
  while ((await run.settled()) === "paused" && !signal.aborted) {
    const next = await answering.answerOne(await lookAt(run, (shown) => shown.questions()));
    if (next === undefined) break;
    run = next;
  }
  signal.removeEventListener("abort", cancel);
  const shown = await lookAt(run, (ended) => ended);
  const response = shown.describe({ format: "minimal", nextSteps });
  return { response, run: shown, events, mismatches: answering.refused };
}

/** Nobody reads them in a test. */
const none = (): string => "";
const nextSteps = {
  answer: none,
  wake: none,
  takeOver: none,
  follow: none,
  runAll: none,
  redo: none,
  takeBack: none,
  repair: none,
  inspect: none,
};

function explainRefusal(refused: RefusedStart): string {
  return explainStart(refused)
    .flatMap(({ message, fix }) => (fix === undefined ? [message] : [message, fix]))
    .join(" ");
}

class Answering {
  /** Answers that did not fit, and of which there was no other. */
  readonly refused: Mismatch[] = [];
  readonly #runtime: Runtime;
  readonly #listener: RunListener;
  readonly #answers: ReadonlyMap<string, Value>;
  /** By address: how many of a list have been given. */
  readonly #given = new Map<string, number>();

  constructor(runtime: Runtime, listener: RunListener, answers: ReadonlyMap<string, Value>) {
    this.#runtime = runtime;
    this.#listener = listener;
    this.#answers = answers;
  }

  /** Answers the first question there is an answer to; the run goes on then. */
  async answerOne(questions: readonly QuestionData[]): Promise<DrivenRun | undefined> {
    for (const { checkpoint_id: id, block: path } of questions) {
      for (let answer = this.#take(path); answer !== undefined; answer = this.#take(path)) {
        const given = { value: answer.value, by: "test", isHuman: true };
        const answered = await answerQuestion(this.#runtime, id, given, this.#listener);
        if (answered.ok && answered.value.kind === "driven") return answered.value.run;
        const message = answered.ok ? "The answer was not taken." : answered.error.message;
        if (answer.isLast) {
          this.refused.push({ at: `answers.${path}`, found: answer.value, message });
          return undefined;
        }
      }
    }
    return undefined;
  }

  #take(path: string): { readonly value: Value; readonly isLast: boolean } | undefined {
    const [address, answer] = findMeant(this.#answers, path) ?? [];
    if (address === undefined || answer === undefined) return undefined;
    if (!Array.isArray(answer)) return { value: answer, isLast: true };
    const index = this.#given.get(address) ?? 0;
    this.#given.set(address, index + 1);
    const value = (answer as readonly Value[])[index];
    return value === undefined ? undefined : { value, isLast: index === answer.length - 1 };
  }
}
