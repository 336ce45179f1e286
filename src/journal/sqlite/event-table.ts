import type { RunEvent } from "../../run/events.ts";
import type { BlobTable } from "./blob-table.ts";
import { createAssembler, type Dissected, type StoredText } from "./dissect.ts";
import type { Prepare, Row } from "./driver.ts";

/** The events of runs, numbered from 1 without a gap. */
export class EventTable {
  readonly #sql: Prepare;
  readonly #blobs: BlobTable;

  constructor(sql: Prepare, blobs: BlobTable) {
    this.#sql = sql;
    this.#blobs = blobs;
  }

  add(run: number, sequence: number, { body, parts, blobs }: Dissected): void {
    this.#sql("INSERT INTO events (run, sequence, body, parts) VALUES (?, ?, ?, ?)").run(run, sequence, body, parts);
    for (const blob of blobs) this.#blobs.use(run, blob);
  }

  read(run: number, after: number): RunEvent[] {
    const rows = this.#sql("SELECT body, parts FROM events WHERE run = ? AND sequence > ? ORDER BY sequence").all(
      run,
      after,
    );
    return this.assemble(rows);
  }

  /** The events in rows with `body` and `parts`. */
  assemble(rows: readonly Row[]): RunEvent[] {
    const assemble = createAssembler((hash) => this.#blobs.find(hash));
    return rows.map((row) => assemble(row as Row & StoredText) as RunEvent);
  }

  remove(run: number): void {
    this.#sql("DELETE FROM events WHERE run = ?").run(run);
    this.#blobs.release(run);
  }
}
