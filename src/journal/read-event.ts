import type { RunEvent } from "../engine/events.ts";
import { DamagedContent, isDamage } from "./damage.ts";
import type { QuestionSummary } from "./journal.ts";
import { questionOf } from "./summarise.ts";

/** An event, of what was stored as one. */
export function readEvent(stored: unknown): RunEvent {
  const event = stored as Partial<RunEvent> | null;
  if (typeof event?.type !== "string") throw new DamagedContent("This is no event.");
  return event as RunEvent;
}

export interface StoredQuestions {
  readonly questions: readonly QuestionSummary[];
  /** What of them can't be read, as a sentence. */
  readonly damage?: string;
}

/** The event that asked a question, as it is stored. */
export interface QuestionRow {
  readonly run: number;
  readonly sequence: number;
  readonly read: () => RunEvent;
}

/** By the number of the run, in the order given. What is damaged of one run does not keep the others from being listed. */
export function readQuestions(rows: readonly QuestionRow[]): Map<number, StoredQuestions> {
  const found = new Map<number, StoredQuestions>();
  for (const { run, sequence, read } of rows) {
    const { questions, damage } = found.get(run) ?? { questions: [] };
    const question = readQuestion(read);
    found.set(run, {
      questions: question === undefined ? questions : [...questions, question],
      ...(question === undefined ? { damage: `Event ${sequence}, a question, is damaged.` } : damage && { damage }),
    });
  }
  return found;
}

function readQuestion(read: () => RunEvent): QuestionSummary | undefined {
  try {
    const event = read();
    return event.type === "block-paused" ? questionOf(event) : undefined;
  } catch (failure) {
    if (isDamage(failure)) return undefined;
    throw failure;
  }
}
