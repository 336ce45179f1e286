import type { LogKey } from "../../block/ports.ts";
import { settledWithin } from "../../util/wait-within.ts";

/** A server that is away is not waited for. */
const longestCloseMs = 1000;

/** A connection to the database, which is made again when it was lost. */
export interface LogDatabase {
  query(query: LogQuery): Promise<{ readonly rows: readonly Row[] }>;
  /** What only looks is asked again when the answer was lost. */
  read(query: LogQuery): Promise<{ readonly rows: readonly Row[] }>;
  close(): Promise<void>;
}

export interface LogQuery {
  /** Under which the server keeps it prepared. */
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

interface Row {
  readonly [column: string]: unknown;
}

/** One log of a run. */
export interface LogName extends LogKey {
  readonly runId: string;
}

/** A part of a log that lies in a buffer with others. */
export interface SentPart extends LogName {
  /** In the log. */
  readonly position: number;
  /** In the buffer. */
  readonly start: number;
  readonly size: number;
}

/** A part of a log as it is in the database, with the length of all of it. */
export interface StoredPart {
  readonly length: number;
  /** Of its first byte. */
  readonly position: number;
  readonly bytes: Buffer;
}

/**
 * Logs in the database: `log_chunks` has their bytes, `log_lengths` how many there are. A chunk is stored only where its log ends, and the
 * length says where that is, so a log has neither gaps nor anything twice, whoever sends what again.
 */
export class LogTable {
  readonly #connect: () => Promise<LogDatabase>;
  #database: Promise<LogDatabase> | undefined;

  constructor(connect: () => Promise<LogDatabase>) {
    this.#connect = connect;
  }

  /** Tells which of the parts were stored: those that begin where their log ended. */
  async append(parts: readonly SentPart[], bytes: Buffer): Promise<readonly LogName[]> {
    const columns = [
      parts.map(({ runId }) => runId),
      parts.map(({ block }) => block),
      parts.map(({ attempt }) => attempt),
      parts.map(({ position }) => position),
      parts.map(({ start }) => start),
      parts.map(({ size }) => size),
    ];
    return (await this.#ask("query", "append", appendText, [...columns, bytes])).map(nameIn);
  }

  /** How long logs are; those that are missing are not there. */
  async lengths(names: readonly LogName[]): Promise<ReadonlyMap<string, number>> {
    const columns = [
      names.map(({ runId }) => runId),
      names.map(({ block }) => block),
      names.map(({ attempt }) => attempt),
    ];
    const rows = await this.#ask("read", "lengths", lengthsText, columns);
    return new Map(rows.map((row) => [logName(nameIn(row)), Number(row.bytes)]));
  }

  /** What stands in a log from a position on; nothing where there is no such log. */
  async read({ runId, block, attempt }: LogName, position: number): Promise<StoredPart | undefined> {
    const rows = await this.#ask("read", "read", readText, [runId, block, attempt, position]);
    if (rows[0] === undefined) return undefined;
    const length = Number(rows[0].length);
    const chunks = rows.flatMap(({ bytes }) => (bytes === null ? [] : [bytes as Buffer]));
    if (chunks.length === 0) return { length, position, bytes: Buffer.alloc(0) };
    const all = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    // Whoever has read another copy before may come with a position in the midst of a chunk.
    return { length, position, bytes: all.subarray(position - Number(rows[0].position)) };
  }

  /** The chunk that was stored last. */
  async last({ runId, block, attempt }: LogName): Promise<StoredPart | undefined> {
    const [row] = await this.#ask("read", "last", lastText, [runId, block, attempt]);
    if (row === undefined) return undefined;
    return { length: Number(row.length), position: Number(row.position), bytes: row.bytes as Buffer };
  }

  async sizes(): Promise<ReadonlyMap<string, number>> {
    const text = "SELECT run, sum(bytes) AS bytes FROM frond.log_lengths GROUP BY run";
    return new Map((await this.#ask("read", "sizes", text, [])).map(({ run, bytes }) => [String(run), Number(bytes)]));
  }

  async remove(runId: string): Promise<void> {
    // The lengths first: whoever sends something meanwhile waits for them, and finds them gone.
    const text =
      "WITH gone AS (DELETE FROM frond.log_lengths WHERE run = $1) DELETE FROM frond.log_chunks WHERE run = $1";
    await this.#ask("query", "remove", text, [runId]);
  }

  async close(): Promise<void> {
    const closed = this.#database?.then((database) => database.close()).catch(() => {});
    if (closed !== undefined) await settledWithin(closed, longestCloseMs);
  }

  async #ask(kind: "query" | "read", name: string, text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    this.#database ??= this.#connect();
    const database = await this.#database.catch((error: unknown) => {
      this.#database = undefined;
      throw error;
    });
    return (await database[kind]({ name: `frond-logs-${name}`, text, values })).rows;
  }
}

/** As a key of maps. */
export function logName({ runId, block, attempt }: LogName): string {
  return `${runId}/${block}.${attempt}`;
}

function nameIn(row: Row): LogName {
  return { runId: String(row.run), block: String(row.block), attempt: Number(row.attempt) };
}

const appendText = `
  WITH sent AS (
    SELECT * FROM unnest($1::text[], $2::text[], $3::int[], $4::bigint[], $5::int[], $6::int[])
      AS s(run, block, attempt, position, start, size)
  ), grown AS (
    UPDATE frond.log_lengths l SET bytes = s.position + s.size FROM sent s
    WHERE l.run = s.run AND l.block = s.block AND l.attempt = s.attempt AND l.bytes = s.position
    RETURNING l.run, l.block, l.attempt
  ), begun AS (
    INSERT INTO frond.log_lengths (run, block, attempt, bytes)
    SELECT run, block, attempt, size FROM sent WHERE position = 0
    ON CONFLICT DO NOTHING
    RETURNING run, block, attempt
  ), stored AS (
    SELECT * FROM grown UNION ALL SELECT * FROM begun
  ), kept AS (
    INSERT INTO frond.log_chunks (run, block, attempt, position, bytes)
    SELECT run, block, attempt, position, substring($7::bytea FROM start + 1 FOR size)
    FROM sent JOIN stored USING (run, block, attempt)
  )
  SELECT run, block, attempt FROM stored`;

const lengthsText = `
  SELECT l.run, l.block, l.attempt, l.bytes
  FROM frond.log_lengths l JOIN unnest($1::text[], $2::text[], $3::int[]) AS s(run, block, attempt) USING (run, block, attempt)`;

const readText = `
  SELECT l.bytes AS length, c.position, c.bytes
  FROM frond.log_lengths l LEFT JOIN frond.log_chunks c
    ON c.run = l.run AND c.block = l.block AND c.attempt = l.attempt AND l.bytes > $4
    AND c.position >= (
      SELECT max(f.position) FROM frond.log_chunks f
      WHERE f.run = $1 AND f.block = $2 AND f.attempt = $3 AND f.position <= $4)
  WHERE l.run = $1 AND l.block = $2 AND l.attempt = $3
  ORDER BY c.position`;

const lastText = `
  SELECT l.bytes AS length, c.position, c.bytes
  FROM frond.log_lengths l JOIN frond.log_chunks c USING (run, block, attempt)
  WHERE l.run = $1 AND l.block = $2 AND l.attempt = $3
  ORDER BY c.position DESC LIMIT 1`;
