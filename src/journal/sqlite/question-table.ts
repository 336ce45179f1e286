import { readQuestions, type StoredQuestions } from "../read-event.ts";
import type { QuestionChange } from "../summarise.ts";
import type { Prepare } from "./driver.ts";
import type { EventTable } from "./event-table.ts";

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

  /** By the number of the run, oldest first. */
  read(runs: readonly number[]): Map<number, StoredQuestions> {
    if (runs.length === 0) return new Map();
    const rows = this.#sql(
      "SELECT run, sequence FROM questions WHERE run IN (SELECT value FROM json_each(?)) ORDER BY run, sequence",
    ).all(JSON.stringify(runs));
    const decode = this.#events.createDecoder();
    return readQuestions(
      rows.map((row) => {
        const [run, sequence] = [Number(row.run), Number(row.sequence)];
        return { run, sequence, read: () => decode(this.#events.read(run, sequence)) };
      }),
    );
  }
}
