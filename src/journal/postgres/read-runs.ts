import type { RunEvent } from "../../engine/events.ts";
import { DamagedContent, isDamage } from "../damage.ts";
import { createDecoder, hashesIn, type StoredText } from "../event-encoding.ts";
import type { RunQuery, RunSummary } from "../journal.ts";
import { readEvent, readQuestions } from "../read-event.ts";
import { type RunRow, readRow } from "../run-row.ts";
import type { PgRow } from "./pg.ts";

export type Ask = (text: string, values?: readonly unknown[]) => Promise<readonly PgRow[]>;

/** When a holder counts as lost. */
export interface LeaseRule {
  readonly longestSilenceMs: number;
  /** Instead of the clock of the database. */
  readonly now?: (() => number) | undefined;
}

/**
 * After the server has been started, everybody needs a moment to connect again: until then a lock that is missing says nothing about those
 * who were alive before.
 */
const graceSeconds = 15;

/** `$1` is the time, `$2` the longest silence. */
const withLeases = `
  WITH held AS MATERIALIZED (
    SELECT (classid::bigint << 32) | objid::bigint AS key FROM pg_locks
    WHERE locktype = 'advisory' AND granted AND objsubid = 1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ), clock AS MATERIALIZED (
    SELECT coalesce($1::double precision, extract(epoch FROM clock_timestamp()) * 1000) AS time,
      extract(epoch FROM pg_postmaster_start_time()) * 1000 AS started,
      clock_timestamp() < pg_postmaster_start_time() + interval '${graceSeconds} seconds' AS is_new
  )
  SELECT runs.*, CASE WHEN owner IS NOT NULL THEN
      time - heartbeat_at > $2::double precision
      OR (NOT EXISTS (SELECT FROM held WHERE key = holder) AND NOT (is_new AND heartbeat_at < started))
    END AS is_lost
  FROM frond.runs CROSS JOIN clock`;

/** The calls of a journal that only look. */
export class RunReader {
  readonly #ask: Ask;
  readonly #lease: LeaseRule;

  constructor(ask: Ask, lease: LeaseRule) {
    this.#ask = ask;
    this.#lease = lease;
  }

  async holds(runId: string, fence: number): Promise<boolean> {
    const rows = await this.#ask("SELECT FROM frond.runs WHERE run_id = $1 AND fence = $2", [clean(runId), fence]);
    return rows.length > 0;
  }

  async has(runId: string): Promise<boolean> {
    return (await this.#ask("SELECT FROM frond.runs WHERE run_id = $1", [clean(runId)])).length > 0;
  }

  async find(runId: string): Promise<RunSummary | undefined> {
    const rows = await this.#ask(`${withLeases} WHERE run_id = $3`, [...this.#rule(), clean(runId)]);
    return (await this.#withQuestions(rows.map(readRow)))[0];
  }

  async sequences(): Promise<Map<string, number>> {
    const rows = await this.#ask("SELECT run_id, sequence FROM frond.runs ORDER BY number DESC");
    return new Map(rows.map(({ run_id, sequence }) => [String(run_id), Number(sequence)]));
  }

  async list({ limit, before, workflow, statuses, dueBefore, undoOf }: RunQuery): Promise<RunSummary[]> {
    const values: unknown[] = [...this.#rule()];
    const conditions: string[] = [];
    const require = (condition: (place: string) => string, value: unknown): void => {
      values.push(value);
      conditions.push(condition(`$${values.length}`));
    };
    if (before !== undefined)
      require((place) => `number < (SELECT number FROM frond.runs WHERE run_id = ${place})`, clean(before));
    if (workflow !== undefined) require((place) => `workflow = ${place}`, clean(workflow));
    if (statuses !== undefined) require((place) => `status = ANY (${place})`, statuses);
    if (dueBefore !== undefined) require((place) => `wake_at < ${place}`, dueBefore);
    if (undoOf !== undefined) require((place) => `undo_of = ${place}`, clean(undoOf));
    const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
    values.push(limit ?? null);
    const rows = await this.#ask(`${withLeases} ${where} ORDER BY number DESC LIMIT $${values.length}`, values);
    return this.#withQuestions(rows.map(readRow));
  }

  /** So many of the events after a number, as they are stored. */
  readPage(runId: string, after: number, most: number): Promise<readonly PgRow[]> {
    return this.#ask(
      `SELECT body, parts FROM frond.events WHERE run = (SELECT number FROM frond.runs WHERE run_id = $1) AND sequence > $2
       ORDER BY sequence LIMIT $3`,
      [clean(runId), after, most],
    );
  }

  /** Makes events of rows with `body` and `parts`; what they consist of is to be fetched first, once however often it occurs. */
  createDecoder(): EventDecoder {
    const blobs = new Map<string, StoredText>();
    const decode = createDecoder((hash) => {
      const blob = blobs.get(hash);
      if (blob === undefined) throw new DamagedContent(`The content ${hash} is missing.`);
      return blob;
    });
    return {
      read: (row) => readEvent(decode(row as PgRow & StoredText)),
      fetch: async (rows) => {
        let texts = rows as readonly unknown[] as readonly StoredText[];
        while (texts.length > 0) {
          const missing = [...new Set(texts.flatMap(hashesOrNone))].filter((hash) => !blobs.has(hash));
          if (missing.length === 0) return;
          const found = await this.#ask("SELECT hash, body, parts FROM frond.blobs WHERE hash = ANY ($1)", [missing]);
          texts = found as readonly unknown[] as readonly StoredText[];
          for (const blob of found) blobs.set(String(blob.hash), blob as PgRow & StoredText);
          if (found.length < missing.length) return;
        }
      },
    };
  }

  #rule(): readonly [now: number | null, longestSilenceMs: number] {
    return [this.#lease.now?.() ?? null, this.#lease.longestSilenceMs];
  }

  async #withQuestions(rows: readonly RunRow[]): Promise<RunSummary[]> {
    const asking = rows.filter(({ questions }) => questions > 0).map(({ number }) => number);
    const asked = asking.length === 0 ? [] : await this.#readAsked(asking);
    const decoder = this.createDecoder();
    await decoder.fetch(asked);
    const questions = readQuestions(
      asked.map((row) => ({
        run: Number(row.run),
        sequence: Number(row.sequence),
        read: () => decoder.read(row),
      })),
    );
    return rows.map(({ number, summary }) => ({ ...summary, ...(questions.get(number) ?? { questions: [] }) }));
  }

  #readAsked(runs: readonly number[]): Promise<readonly PgRow[]> {
    return this.#ask(
      `SELECT run, sequence, body, parts FROM frond.questions JOIN frond.events USING (run, sequence)
       WHERE run = ANY ($1) ORDER BY run, sequence`,
      [runs],
    );
  }
}

export interface EventDecoder {
  fetch(rows: readonly PgRow[]): Promise<void>;
  read(row: PgRow): RunEvent;
}

/** What is damaged is told by whoever reads that row. */
function hashesOrNone(text: StoredText): readonly string[] {
  try {
    return hashesIn(text);
  } catch (failure) {
    if (isDamage(failure)) return [];
    throw failure;
  }
}

/** PostgreSQL takes no NUL in a text, and nothing that is stored has one. */
export function clean(text: string): string {
  return text.replaceAll("\0", "\ufffd");
}
