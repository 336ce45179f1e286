import type { RunEvent } from "../engine/events.ts";
import type { RunState } from "../engine/state.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import type { Plan } from "../plan/plan.ts";
import { answerQuestion } from "../runs/answer-question.ts";
import type { DrivenRun, RunListener } from "../runs/driven-run.ts";
import type { Runtime } from "../runs/runtime.ts";
import { type StartProblem, startRun } from "../runs/start-run.ts";
import { describeRun, type WorkflowResponse } from "../views/response.ts";
import { findMeant } from "./address.ts";
import type { Mismatch } from "./compare.ts";

/** A run of a case, as far as it got. */
export interface CaseRun {
  readonly response: WorkflowResponse;
  /** Absent when it was refused before it began. */
  readonly state?: RunState;
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
    return { response: { status: "failure", error: explainRefusal(started.error) }, events, mismatches: [] };
  }
  let run = started.value;
  const cancel = (): void => void run.cancel(String(signal.reason)).catch(() => {});
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  const answering = new Answering(runtime, listener, options.answers);
  while ((await run.settled()) === "paused" && !signal.aborted) {
    const next = await answering.answerOne(await run.inspect((state) => state));
    if (next === undefined) break;
    run = next;
  }
  signal.removeEventListener("abort", cancel);
  const state = await run.inspect((current) => current);
  const response = describeRun(state, { format: "minimal", nextSteps });
  return { response, state, events, mismatches: answering.refused };
}

/** Nobody reads them in a test. */
const nextSteps = { answer: () => "", takeOver: () => "", follow: () => "" };

function explainRefusal(problem: StartProblem): string {
  switch (problem.kind) {
    case "inputs":
      return problem.problems.flatMap(({ message, fix }) => (fix === undefined ? [message] : [message, fix])).join(" ");
    case "secrets":
      return problem.problems.join(" ");
    default:
      throw new Error("A case has no idempotency key.");
  }
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
  async answerOne({ pending }: RunState): Promise<DrivenRun | undefined> {
    for (const [id, { path }] of pending) {
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
