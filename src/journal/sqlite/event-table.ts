import type { RunEvent } from "../../engine/events.ts";
import { DamagedContent } from "../damage.ts";
import { type Blob, createDecoder, type EncodedEvent, type StoredText } from "../event-encoding.ts";
import { readEvent } from "../read-event.ts";
import type { BlobTable } from "./blob-table.ts";
import type { Prepare, Row } from "./driver.ts";

/** In characters: what is larger is divided, so that reading a row takes no long time. */
const largestRow = 65_536;

/** An event as it stands in its row. */
export interface StoredEvent extends StoredText {
  readonly sequence: number;
}

/** The events of runs, numbered from 1 without a gap. Those of one commit share a row: to write a row is most of what an event costs. */
export class EventTable {
  readonly #sql: Prepare;
  readonly #blobs: BlobTable;

  constructor(sql: Prepare, blobs: BlobTable) {
    this.#sql = sql;
    this.#blobs = blobs;
  }

  /** Adds events after a number. */
  add(run: number, after: number, at: string, events: readonly EncodedEvent[]): void {
    let begin = 0;
    let size = 0;
    for (const [index, { body, blobs }] of events.entries()) {
      if (index > begin && size + body.length > largestRow) {
        this.#insert(run, after + index, at, events.slice(begin, index));
        begin = index;
        size = 0;
      }
      size += body.length;
      this.keep(run, blobs);
    }
    this.#insert(run, after + events.length, at, begin === 0 ? events : events.slice(begin));
  }

  #insert(run: number, last: number, at: string, events: readonly EncodedEvent[]): void {
    // JSON as it is written here has no line feed.
    const bodies = events.map(({ body }) => body).join("\n");
    const hasParts = events.some(({ parts }) => parts !== null);
    const parts = hasParts ? events.map((event) => event.parts ?? "").join("\n") : null;
    const insert = this.#sql("INSERT INTO commits (run, last, at, bodies, parts) VALUES (?, ?, ?, ?, ?)");
    insert.run(run, last, at, bodies, parts);
  }

  /** Stores content that events of the run will use. */
  keep(run: number, blobs: readonly Blob[]): void {
    for (const blob of blobs) this.#blobs.use(run, blob);
  }

  /** So many rows with events after a number. */
  readPage(run: number, after: number, most: number): readonly Row[] {
    const select = this.#sql(
      "SELECT last, bodies, parts FROM commits WHERE run = ? AND last > ? ORDER BY last LIMIT ?",
    );
    return select.all(run, after, most);
  }

  /** One event, in the row that holds it. */
  read(run: number, sequence: number): StoredEvent {
    const [row] = this.readPage(run, sequence - 1, 1);
    const [event] = row === undefined ? [] : eventsIn(row, sequence - 1);
    if (event === undefined) throw new DamagedContent(`Event ${sequence} is missing.`);
    return event;
  }

  /** Makes events of what is stored. What it is made of is read once, however often it occurs. */
  createDecoder(): (event: StoredEvent) => RunEvent {
    const decode = createDecoder((hash) => this.#blobs.find(hash));
    return (event) => readEvent(decode(event));
  }

  remove(run: number): void {
    this.#sql("DELETE FROM commits WHERE run = ?").run(run);
    this.#blobs.release(run);
  }
}

/** Those of a row after a number; a row that does not follow upon it is damaged, or one before it is. */
export function eventsIn(row: Row, after: number): readonly StoredEvent[] {
  const bodies = String(row.bodies).split("\n");
  const parts = row.parts === null ? [] : String(row.parts).split("\n");
  const before = Number(row.last) - bodies.length;
  if (before > after) throw new DamagedContent(`Event ${after + 1} is missing.`);
  const events = bodies.map((body, index) => ({ sequence: before + index + 1, body, parts: parts[index] || null }));
  return before === after ? events : events.slice(after - before);
}
