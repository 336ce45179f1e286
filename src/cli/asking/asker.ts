import type { Value } from "../../expression/value.ts";
import type { QuestionData } from "../../views/response.ts";
import type { OpenQuestions } from "../../views/shown-run.ts";
import type { Terminal } from "../terminal.ts";
import { askForm, type Stage } from "./ask-form.ts";
import type { ChoiceField, Form } from "./form.ts";
import { fieldsFor } from "./question-form.ts";

/** Takes an answer; or says why it is not taken, and the question stays. */
export type TakeAnswer = (question: QuestionData, answer: Value) => Promise<string | undefined>;

export interface AskerOptions {
  readonly terminal: Terminal;
  readonly stage: Stage;
  readonly answer: TakeAnswer;
  /** What keys do beside answering. */
  keys(): readonly string[];
  /** Is told when a form has ended: there may be nothing left to ask. */
  onEnd(): void;
  /** The question that is asked before all others. */
  readonly first?: string;
}

/**
 * Asks a person what a run asks, one form after the other, from the moment that a question is open. What somebody else answers
 * meanwhile is no longer asked; what the person leaves for later is not asked again.
 */
export class Asker {
  readonly #options: AskerOptions;
  readonly #left = new Set<string>();
  #open: OpenQuestions = { questions: [], interruptions: new Set() };
  #asked: { readonly ids: readonly string[]; readonly withdrawn: AbortController } | undefined;
  /** What the person has answered is gone in a moment, and is not withdrawn from them. */
  readonly #answered = new Set<string>();
  #isClosed = false;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(options: AskerOptions) {
    this.#options = options;
  }

  /** Whether a person is being asked, or will be. */
  get isBusy(): boolean {
    return this.#asked !== undefined || (!this.#isClosed && this.#next() !== undefined);
  }

  /** Whether this question is on the screen, and the person has not answered it. */
  isAsking(questionId: string): boolean {
    return this.#asked?.ids.includes(questionId) === true && !this.#answered.has(questionId);
  }

  update(open: OpenQuestions): void {
    this.#open = open;
    const ids = new Set(open.questions.map(({ checkpoint_id: id }) => id));
    if (this.#asked?.ids.some((id) => !ids.has(id) && !this.#answered.has(id))) this.#asked.withdrawn.abort();
    this.#askNext();
  }

  /** Takes the form from the screen. Resolves when the terminal is free. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#asked?.withdrawn.abort();
    await this.#ended;
  }

  #askNext(): void {
    if (this.#isClosed || this.#asked !== undefined) return;
    const next = this.#next();
    if (next === undefined) return;
    const ids = next.map(({ checkpoint_id: id }) => id);
    const withdrawn = new AbortController();
    this.#asked = { ids, withdrawn };
    const { stage, terminal } = this.#options;
    this.#ended = askForm(this.#formFor(next), stage, terminal, withdrawn.signal).then((end) => {
      this.#asked = undefined;
      if (end === "left" && !withdrawn.signal.aborted) for (const id of ids) this.#left.add(id);
      this.#askNext();
      this.#options.onEnd();
    });
  }

  /** All interruptions together, for whoever decides about one thinks of the others; else the first question. */
  #next(): readonly QuestionData[] | undefined {
    const { questions, interruptions } = this.#open;
    const waiting = questions.filter(({ checkpoint_id: id }) => !this.#left.has(id) && !this.#answered.has(id));
    const lost = waiting.filter(({ checkpoint_id: id }) => interruptions.has(id));
    const first = waiting.find(({ checkpoint_id: id }) => id === this.#options.first) ?? waiting[0];
    if (first === undefined) return undefined;
    return interruptions.has(first.checkpoint_id) ? lost : [first];
  }

  #formFor(questions: readonly QuestionData[]): Form {
    const [first, ...others] = questions as [QuestionData, ...QuestionData[]];
    return others.length === 0 ? this.#questionForm(first) : this.#interruptionForm(questions);
  }

  #questionForm(question: QuestionData): Form {
    const { fields, read } = fieldsFor(question);
    return {
      title: `${question.block} asks`,
      text: question.prompt,
      fields,
      keys: this.#options.keys,
      submit: (values) => this.#answer(question, read(values)),
    };
  }

  /** A line for each block. */
  #interruptionForm(questions: readonly QuestionData[]): Form {
    const fields = questions.map(({ block, prompt, choices = [] }): ChoiceField => {
      const options = choices.map((choice) => ({ value: choice, label: choice }));
      return { kind: "choice", label: block, about: firstLine(prompt), choices: options };
    });
    const [model] = fields as [ChoiceField, ...ChoiceField[]];
    const all: ChoiceField = { ...model, label: "all of them", about: "", isForAll: true, isOptional: true };
    return {
      title: `${questions.length} blocks were running when Frond ended`,
      text: explainChoices(questions),
      fields: [all, ...fields],
      keys: this.#options.keys,
      submit: async ([, ...values]) => {
        for (const [index, question] of questions.entries()) {
          const problem = await this.#answer(question, values[index] ?? null);
          if (problem !== undefined) return problem;
        }
        return undefined;
      },
    };
  }

  async #answer(question: QuestionData, value: Value): Promise<string | undefined> {
    this.#answered.add(question.checkpoint_id);
    const problem = await this.#options.answer(question, value);
    if (problem !== undefined) this.#answered.delete(question.checkpoint_id);
    return problem;
  }
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}

/** What the choices mean is the same for all blocks but those that were changing files. */
function explainChoices(questions: readonly QuestionData[]): string {
  const meanings = new Set(questions.map(({ prompt }) => prompt.split("\n").at(-2) ?? ""));
  return [...meanings, "What should happen to each?"].join("\n");
}
