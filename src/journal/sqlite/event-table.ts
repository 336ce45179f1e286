import type { RunEvent } from "../../engine/events.ts";
import { type Blob, createDecoder, type EncodedEvent, type StoredText } from "../event-encoding.ts";
import { readEvent } from "../read-event.ts";
import type { BlobTable } from "./blob-table.ts";
import type { Prepare, Row } from "./driver.ts";

/** The events of runs, numbered from 1 without a gap. */
export class EventTable {
  readonly #sql: Prepare;
  readonly #blobs: BlobTable;

  constructor(sql: Prepare, blobs: BlobTable) {
    this.#sql = sql;
    this.#blobs = blobs;
  }

  add(run: number, sequence: number, { body, parts, blobs }: EncodedEvent): void {
    this.#sql("INSERT INTO events (run, sequence, body, parts) VALUES (?, ?, ?, ?)").run(run, sequence, body, parts);
    this.keep(run, blobs);
  }

  /** Stores content that events of the run will use. */
  keep(run: number, blobs: readonly Blob[]): void {
    for (const blob of blobs) this.#blobs.use(run, blob);
  }

  /** So many of the events after a number, as they are stored. */
  readPage(run: number, after: number, most: number): readonly Row[] {
    const select = this.#sql("SELECT body, parts FROM events WHERE run = ? AND sequence > ? ORDER BY sequence LIMIT ?");
    return select.all(run, after, most);
  }

  /** Makes events of rows with `body` and `parts`. What it is made of is read once, however often it occurs. */
  createDecoder(): (row: Row) => RunEvent {
    const decode = createDecoder((hash) => this.#blobs.find(hash));
    return (row) => readEvent(decode(row as Row & StoredText));
  }

  remove(run: number): void {
    this.#sql("DELETE FROM events WHERE run = ?").run(run);
    this.#blobs.release(run);
  }
}
