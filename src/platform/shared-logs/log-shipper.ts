import { settledWithin } from "../../util/wait-within.ts";
import { parseFrames } from "../files/log-frames.ts";
import type { LogFiles } from "../files/run-logs.ts";
import { type LogName, type LogTable, logName, type SentPart } from "./log-table.ts";

const sendMs = 250;
const againMs = 2000;
/** How long a commit, or the end of this process, waits for logs at most. */
const patienceMs = 5000;
/** Of one log, and of all together: whatever there is to send, no more of it is in memory. */
const mostOfOne = 1_000_000;
const mostAtOnce = 4_000_000;
/** A frame can be as long as a whole log. */
const longestFrame = 11_000_000;

/** A log that this process writes, or has to send the rest of. */
export interface TrackedLog extends LogName {
  /** How much of it is in the database; undefined where that has to be asked. */
  sent: number | undefined;
  isOpen: boolean;
  /** There may be more in the file than was read to be sent. */
  hasMore: boolean;
  /** What was read is on its way. */
  isSending: boolean;
}

export interface ShipperOptions {
  readonly files: LogFiles;
  readonly table: LogTable;
  readonly warn: (message: string) => void;
}

/**
 * Sends what is in the files of logs to the database, of all logs together, a few times a second. What was not sent is in the file: only how far
 * each has been sent is in memory. Frames are sent as a whole, so that a log that is cut where its last whole frame ends is never shorter than
 * what was sent of it.
 */
export class LogShipper {
  readonly #options: ShipperOptions;
  readonly #logs = new Map<string, TrackedLog>();
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  /** The database could not be reached the last time. */
  #isAway = false;

  constructor(options: ShipperOptions) {
    this.#options = options;
  }

  /** One that this process writes or has to send is whole in its file. */
  isTracked(name: LogName): boolean {
    return this.#logs.has(logName(name));
  }

  track(name: LogName, isOpen: boolean, sent?: number): TrackedLog {
    const key = logName(name);
    const known = this.#logs.get(key);
    const log = known ?? { ...name, sent, isOpen, hasMore: true, isSending: false };
    log.isOpen ||= isOpen;
    log.hasMore = true;
    this.#logs.set(key, log);
    this.#sendLater(sendMs);
    return log;
  }

  /** Called for every write, so it does next to nothing. */
  noteWrite(log: TrackedLog): void {
    log.hasMore = true;
    if (this.#timer === undefined) this.#sendLater(sendMs);
  }

  noteClose(log: TrackedLog): void {
    log.isOpen = false;
    this.#drop(log);
  }

  forget(runId: string): void {
    for (const [key, log] of this.#logs) if (log.runId === runId) this.#logs.delete(key);
  }

  /** Of closed logs that are chosen. Where the database is away it is not waited for: the next try sends them. */
  async flush(isMeant: (log: TrackedLog) => boolean): Promise<void> {
    const isLeft = (): boolean => {
      for (const log of this.#logs.values()) if (!log.isOpen && isMeant(log)) return true;
      return false;
    };
    const deadline = performance.now() + patienceMs;
    while (isLeft() && !this.#isAway) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) return;
      await settledWithin(this.#send(), leftMs);
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #sendLater(ms: number): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#send();
    }, ms).unref();
  }

  /** Never rejects. Whoever comes while something is being sent waits for that, and looks again. */
  #send(): Promise<void> {
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    try {
      // What is written meanwhile is for the next time, or this one would have no end.
      const round = new Set([...this.#logs.values()].filter(({ hasMore }) => hasMore));
      await this.#locate([...round].filter(({ sent }) => sent === undefined));
      while (round.size > 0) await this.#sendSome(round);
      this.#isAway = false;
    } catch (error) {
      this.#noteFailure(error);
      this.#sendLater(againMs);
    }
  }

  async #sendSome(round: Set<TrackedLog>): Promise<void> {
    const parts = new Map<TrackedLog, SentPart>();
    const pieces: Buffer[] = [];
    let size = 0;
    for (const log of round) {
      if (size >= mostAtOnce) break;
      const frames = this.#take(log);
      if (!log.hasMore) round.delete(log);
      const { runId, block, attempt, sent } = log;
      if (frames.length === 0 || sent === undefined) this.#drop(log);
      else parts.set(log, { runId, block, attempt, position: sent, start: size, size: frames.length });
      pieces.push(frames);
      size += frames.length;
    }
    if (parts.size > 0) await this.#append(parts, Buffer.concat(pieces, size), round);
  }

  async #append(parts: ReadonlyMap<TrackedLog, SentPart>, bytes: Buffer, round: Set<TrackedLog>): Promise<void> {
    const refused = new Set(parts.keys());
    for (const log of refused) log.isSending = true;
    try {
      const stored = new Set((await this.#options.table.append([...parts.values()], bytes)).map(logName));
      for (const [log, { position, size }] of parts) {
        if (!stored.has(logName(log))) continue;
        refused.delete(log);
        log.sent = position + size;
      }
    } finally {
      // Where it failed nobody knows whether they are there; else somebody has sent them before, or a database that crashed has lost some.
      for (const log of refused) {
        log.sent = undefined;
        log.hasMore = true;
        round.add(log);
      }
      for (const log of parts.keys()) {
        log.isSending = false;
        this.#drop(log);
      }
    }
    await this.#locate([...refused]);
  }

  /** The whole frames that come next in the file. */
  #take(log: TrackedLog): Buffer {
    log.hasMore = false;
    if (log.sent === undefined) return Buffer.alloc(0);
    const read = (most: number): Buffer => {
      const bytes = this.#options.files.bytes(log.runId, log, log.sent ?? 0, most);
      log.hasMore ||= bytes.length === most;
      return bytes.subarray(0, parseFrames(bytes).position);
    };
    try {
      const frames = read(mostOfOne);
      if (frames.length > 0 || !log.hasMore) return frames;
      log.hasMore = false;
      return read(longestFrame);
    } catch {
      // Of a run that has been removed.
      log.hasMore = false;
      return Buffer.alloc(0);
    }
  }

  /** Finds out how far logs have been sent, by whom ever. */
  async #locate(logs: readonly TrackedLog[]): Promise<void> {
    if (logs.length === 0) return;
    const lengths = await this.#options.table.lengths(logs);
    for (const log of logs) {
      const length = lengths.get(logName(log)) ?? 0;
      const size = this.#options.files.size(log.runId, log);
      if (length === 0 || length === size || (await this.agrees(log, length))) log.sent = length;
      else this.#giveUp(log, size < length && !log.isOpen);
    }
  }

  /** Another machine went on with it. A copy here that has nothing of its own is of no interest. */
  #giveUp(log: TrackedLog, isCopy: boolean): void {
    this.#logs.delete(logName(log));
    if (isCopy) return;
    this.#options.warn(
      `Another machine went on with a log of ${log.runId}: what was written here last is kept on this machine alone.`,
    );
  }

  /** Whether the file holds what the database does, and perhaps more: another machine may have gone on with a log that was not whole there. */
  async agrees(name: LogName, length: number): Promise<boolean> {
    const { files, table } = this.#options;
    if (files.size(name.runId, name) < length) return false;
    const last = await table.last(name);
    return last === undefined || files.bytes(name.runId, name, last.position, last.bytes.length).equals(last.bytes);
  }

  #drop(log: TrackedLog): void {
    if (!log.isOpen && !log.hasMore && !log.isSending) this.#logs.delete(logName(log));
  }

  #noteFailure(error: unknown): void {
    const isNews = !this.#isAway;
    this.#isAway = true;
    if (!isNews) return;
    const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, "");
    this.#options.warn(
      `Logs can't be sent to the database: ${reason}. They are kept on this machine, and sent when it can be reached again.`,
    );
  }
}
