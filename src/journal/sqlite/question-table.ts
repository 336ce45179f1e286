import type { RunEvent } from "../../engine/events.ts";
import type { QuestionSummary } from "../journal.ts";
import { type QuestionChange, questionOf } from "../summarise.ts";
import type { Prepare, Row } from "./driver.ts";
import type { EventTable } from "./event-table.ts";
import { isDamage } from "./explain-failure.ts";

/** Questions that wait for an answer, each as the event that asked it. */
export class QuestionTable {
  readonly #sql: Prepare;
  readonly #events: EventTable;

  constructor(sql: Prepare, events: EventTable) {
    this.#sql = sql;
    this.#events = events;
  }

  /** Takes changes over that follow from the events after a number, and tells how many questions there are then. */
  change(run: number, count: number, changes: readonly QuestionChange[], after: number): number {
    let left = count;
    for (const change of changes) {
      if (change.kind === "asked") {
        const insert = this.#sql("INSERT INTO questions (run, sequence, path) VALUES (?, ?, ?)");
        insert.run(run, after + change.index + 1, JSON.stringify(change.path));
        left++;
      } else if (left > 0) {
        left -= change.kind === "gone" ? this.#remove(run, change.path) : this.removeAll(run);
      }
    }
    return left;
  }

  #remove(run: number, path: string): number {
    return this.#sql("DELETE FROM questions WHERE run = ? AND path = ?").run(run, JSON.stringify(path)).changes;
  }

  removeAll(run: number): number {
    return this.#sql("DELETE FROM questions WHERE run = ?").run(run).changes;
  }

  /** By the number of the run, oldest first. What is damaged of one run does not keep the others from being listed. */
  read(runs: readonly number[]): Map<number, StoredQuestions> {
    if (runs.length === 0) return new Map();
    const rows = this.#sql(
      `SELECT run, sequence, body, parts FROM questions JOIN events USING (run, sequence)
       WHERE run IN (SELECT value FROM json_each(?)) ORDER BY run, sequence`,
    ).all(JSON.stringify(runs));
    const found = new Map<number, StoredQuestions>();
    const decode = this.#events.createDecoder();
    for (const row of rows) {
      const number = Number(row.run);
      const { questions, damage } = found.get(number) ?? { questions: [] };
      const question = readQuestion(decode, row);
      found.set(number, {
        questions: question === undefined ? questions : [...questions, question],
        ...(question === undefined
          ? { damage: `Event ${row.sequence}, a question, is damaged.` }
          : damage && { damage }),
      });
    }
    return found;
  }
}

export interface StoredQuestions {
  readonly questions: readonly QuestionSummary[];
  /** What of them can't be read, as a sentence. */
  readonly damage?: string;
}

function readQuestion(decode: (row: Row) => RunEvent, row: Row): QuestionSummary | undefined {
  try {
    const event = decode(row);
    return event.type === "block-paused" ? questionOf(event) : undefined;
  } catch (failure) {
    if (isDamage(failure)) return undefined;
    throw failure;
  }
}
