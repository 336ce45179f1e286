import type { RunEvent } from "../../engine/events.ts";
import { formatValue } from "../../expression/format-value.ts";
import type { Value } from "../../expression/value.ts";
import { describeKept, quoteAnswer } from "../../runs/kept-answer.ts";
import { type LiveRun, lookAt } from "../../views/shown-run.ts";
import type { RunView } from "../run-view.ts";
import { cleanLine } from "../text/visible-text.ts";
import { Asker, type AskerOptions, type TakeAnswer } from "./asker.ts";

/** Events after which other questions may be open. */
const askingEvents: ReadonlySet<RunEvent["type"]> = new Set([
  "block-paused",
  "question-answered",
  "block-cancelling",
  "run-cancelling",
  "run-finished",
]);

export interface RunAskerOptions extends Omit<AskerOptions, "stage"> {
  readonly view: RunView;
  /** Whether there is a person who is asked. */
  readonly canAsk: boolean;
}

/** Asks below the picture of a run what is open in it, as its events tell. */
export class RunAsker {
  readonly #asker: Asker;
  readonly #view: RunView;
  readonly #canAsk: boolean;
  #run: LiveRun | undefined;

  /** What the person has answered, by question. */
  readonly #given = new Map<string, Value>();
  readonly #told = new Set<string>();

  constructor({ view, canAsk, ...options }: RunAskerOptions) {
    const answer: TakeAnswer = (question, value) => {
      this.#given.set(question.checkpoint_id, value);
      return options.answer(question, value);
    };
    this.#asker = new Asker({ ...options, answer, stage: view });
    this.#view = view;
    this.#canAsk = canAsk;
    // Nobody answers there any more.
    options.terminal.gone.addEventListener("abort", () => void this.close().then(() => options.onEnd()));
  }

  /** Whether a person is being asked, or will be. */
  get isBusy(): boolean {
    return this.#asker.isBusy;
  }

  /** From now on this is the run. Resolves when what is open in it is known. */
  async look(run: LiveRun): Promise<void> {
    this.#run = run;
    await this.#update();
  }

  hear(events: readonly RunEvent[]): void {
    if (!this.#canAsk) return;
    for (const event of events) {
      if (event.type !== "question-answered") continue;
      const { questionId, path, answer: value, by } = event;
      const given = this.#given.get(questionId);
      if (this.#asker.isAsking(questionId)) {
        this.#view.say(cleanLine(`${path} was answered elsewhere: ${quoteAnswer({ value, by })}.`));
      } else if (given !== undefined && formatValue(given) !== formatValue(value) && this.tellsOnce(questionId)) {
        // Of two answers that were on their way at the same time.
        this.#view.say(cleanLine(`${path}: ${describeKept({ value, by })}`));
      }
    }
    if (events.some(({ type }) => askingEvents.has(type))) void this.#update();
  }

  /** Whether the person is still to be told that another answer to this question was kept. */
  tellsOnce(questionId: string): boolean {
    const isNews = !this.#told.has(questionId);
    this.#told.add(questionId);
    return isNews;
  }

  /** Takes what is asked from the screen. Resolves when the terminal is free. */
  close(): Promise<void> {
    return this.#asker.close();
  }

  async #update(): Promise<void> {
    if (!this.#canAsk || this.#run === undefined) return;
    await lookAt(this.#run, (shown) => this.#asker.update(shown.openQuestions())).catch(() => {
      // It could not be recorded to its end, which is told by whoever drives it.
    });
  }
}
