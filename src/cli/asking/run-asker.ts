import type { RunEvent } from "../../engine/events.ts";
import { quoteAnswer } from "../../runs/kept-answer.ts";
import { type LiveRun, lookAt } from "../../views/shown-run.ts";
import type { RunView } from "../run-view.ts";
import { cleanLine } from "../text/visible-text.ts";
import { Asker, type AskerOptions } from "./asker.ts";

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

  constructor({ view, canAsk, ...options }: RunAskerOptions) {
    this.#asker = new Asker({ ...options, stage: view });
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
      if (event.type !== "question-answered" || !this.#asker.isAsking(event.questionId)) continue;
      const given = quoteAnswer({ value: event.answer, by: event.by });
      this.#view.say(cleanLine(`${event.path} was answered elsewhere: ${given}.`));
    }
    if (events.some(({ type }) => askingEvents.has(type))) void this.#update();
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
