import { StringDecoder } from "node:string_decoder";
import type { LogChunk, LogKey, OutputStream, RunLogs } from "../block/ports.ts";
import { parseAddress } from "../engine/address.ts";
import { type BlockOrigin, consumeEvent, type EventTable, ignoreEvent, type RunEvent } from "../engine/events.ts";
import { idempotencyKey } from "../engine/ids.ts";

/** Something that an attempt at a block wrote. */
export interface LogEntry {
  readonly block: string;
  readonly attempt: number;
  readonly stream: OutputStream;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** None in an entry that says no more than that the attempt has ended. */
  readonly bytes: Uint8Array;
  /** The attempt has ended, and this was all. */
  readonly isLast: boolean;
}

/** Which attempts to read; all when empty. */
export interface LogSelection {
  /** Address of a block, which stands for everything inside it too. */
  readonly block?: string;
  readonly attempt?: number;
}

/** One attempt at a block of a run, as its events tell. */
export interface Attempt {
  readonly block: string;
  readonly attempt: number;
}

interface OpenLog extends Attempt {
  /** The run that has it. */
  readonly runId: string;
  readonly key: LogKey;
  /** Milliseconds since 1970: nothing in the log is older. */
  readonly startedAt: number;
  position: number;
  /** When it was last written to, as far as it has been read. */
  writtenAt: number;
  hasEnded: boolean;
}

/**
 * Reads the logs of a run in the order in which they were written, as far as their times tell; again and again for a run that
 * goes on. A log is in memory only from the time its attempt began until all of it has been given away.
 */
export class LogReader {
  readonly attempts: Attempt[] = [];
  readonly #logs: Pick<RunLogs, "read">;
  readonly #runId: string;
  readonly #selection: LogSelection;
  /** In the order in which the attempts began. */
  #open: OpenLog[] = [];
  /** By block. */
  readonly #latest = new Map<string, OpenLog>();
  /** By path of what holds blocks: the attempt that goes on. */
  readonly #attemptsAround = new Map<string, number>();

  constructor(logs: Pick<RunLogs, "read">, runId: string, selection: LogSelection) {
    this.#logs = logs;
    this.#runId = runId;
    this.#selection = selection;
  }

  /** Learns from events which attempts there are, and which of them write no more. */
  learn(events: readonly RunEvent[]): void {
    for (const event of events) consumeEvent(this.#lessons, event);
  }

  readonly #lessons: EventTable<[], void> = {
    "block-started": (event) => {
      if (event.inside.kind !== "leaf") return void this.#attemptsAround.set(event.path, event.attempt);
      const block = this.#addressOf(event.path);
      this.#begin(block, event.attempt, event.at);
    },
    "block-resumed": ({ path, attempt, at }) => this.#begin(this.#addressOf(path), attempt, at),
    "attempt-ended": ({ path }) => this.#end(path),
    "block-finished": ({ path }) => this.#end(path),
    "block-skipped": ({ path }) => this.#end(path),
    "block-reused": ({ path, origin, attempt, startedAt }) => {
      this.#begin(this.#addressOf(path), attempt, startedAt, origin);
      this.#end(path);
    },
    "block-interrupted": ({ path }) => this.#end(path),
    "block-paused": ignoreEvent,
    "question-answered": ignoreEvent,
    "finally-started": ignoreEvent,
    "block-cancelling": ignoreEvent,
    "process-started": ignoreEvent,
    "file-changed": ignoreEvent,
    "observation-started": ignoreEvent,
    "changes-observed": ignoreEvent,
    "workflow-stopping": ignoreEvent,
    "rollback-started": ignoreEvent,
    "rollback-finished": ignoreEvent,
    "budget-exceeded": ignoreEvent,
    "budget-raised": ignoreEvent,
    "run-started": ignoreEvent,
    "workspace-made": ignoreEvent,
    "block-sleeping": ignoreEvent,
    "block-woken": ignoreEvent,
    "run-paused": ignoreEvent,
    "run-sleeping": ignoreEvent,
    "run-resumed": ignoreEvent,
    "run-cancelling": ignoreEvent,
    "run-finished": ignoreEvent,
  };

  /** Leaves out what attempts wrote that have ended by now. */
  forgetEnded(): void {
    this.#open = this.#open.filter(({ hasEnded }) => !hasEnded);
  }

  /**
   * What has been written since the last time, in parts: nothing is waited for within one. A part is gone through before the next is
   * asked for.
   */
  async *take(): AsyncGenerator<Iterable<LogEntry>> {
    const waiting = [...this.#open];
    this.forgetEnded();
    const loaded: Loaded[] = [];
    for (;;) {
      let first = earliest(loaded);
      while (waiting[0] !== undefined && (first === undefined || waiting[0].startedAt <= first.next.at)) {
        const log = waiting.shift() as OpenLog;
        const chunks = (await this.#load(log))[Symbol.iterator]();
        const next = chunks.next();
        if (!next.done) loaded.push({ log, chunks, next: next.value });
        first = earliest(loaded);
      }
      if (first === undefined) return;
      yield merge(loaded, waiting[0]?.startedAt ?? Number.POSITIVE_INFINITY);
    }
  }

  async #load(log: OpenLog): Promise<readonly LogChunk[]> {
    const wasRead = log.position > 0;
    const { chunks, position } = await this.#logs.read(log.runId, log.key, log.position);
    log.position = position;
    log.writtenAt = chunks.at(-1)?.at ?? log.writtenAt;
    // Whoever holds back half a line learns that no more of it comes.
    if (chunks.length === 0 && wasRead && log.hasEnded) {
      return [{ stream: "stdout", at: log.writtenAt, bytes: new Uint8Array() }];
    }
    return chunks;
  }

  /** As `addressWithin` makes it of a node. */
  #addressOf(path: string): string {
    let [at, address] = ["", ""];
    for (const { key } of parseAddress(path)) {
      const attempt = this.#attemptsAround.get(at) ?? 1;
      address = `${address}${attempt > 1 ? `@${attempt}` : ""}${at === "" ? "" : "/"}${key}`;
      at = at === "" ? key : `${at}/${key}`;
    }
    return address;
  }

  /** An attempt that goes on after a question writes to the log it has. */
  #begin(
    block: string,
    attempt: number,
    at: string,
    origin: Pick<BlockOrigin, "runId" | "address"> = { runId: this.#runId, address: block },
  ): void {
    const latest = this.#latest.get(block);
    const { attempt: only = attempt } = this.#selection;
    if (latest?.attempt === attempt || only !== attempt) return;
    if (!isWithin(block, this.#selection, attempt)) return;
    if (latest !== undefined) latest.hasEnded = true;
    const { runId } = origin;
    const key = { block: idempotencyKey(runId, origin.address), attempt };
    const log = { block, attempt, runId, key, startedAt: Date.parse(at), position: 0, writtenAt: 0, hasEnded: false };
    this.attempts.push({ block, attempt });
    this.#open.push(log);
    this.#latest.set(block, log);
  }

  #end(path: string): void {
    const log = this.#latest.get(this.#addressOf(path));
    if (log !== undefined) log.hasEnded = true;
  }
}

interface Loaded {
  readonly log: OpenLog;
  readonly chunks: Iterator<LogChunk>;
  next: LogChunk;
}

/** What was written before a time; the rest stays. */
function* merge(loaded: Loaded[], before: number): Generator<LogEntry> {
  for (;;) {
    const first = earliest(loaded);
    if (first === undefined || first.next.at >= before) return;
    const { log, next: chunk } = first;
    const following = first.chunks.next();
    if (following.done) loaded.splice(loaded.indexOf(first), 1);
    else first.next = following.value;
    yield { block: log.block, attempt: log.attempt, ...chunk, isLast: following.done === true && log.hasEnded };
  }
}

/** Of those written at the same time the one whose attempt began first, so that the order is always the same. */
function earliest(loaded: readonly Loaded[]): Loaded | undefined {
  let first: Loaded | undefined;
  for (const candidate of loaded) if (first === undefined || candidate.next.at < first.next.at) first = candidate;
  return first;
}

/** Whether an attempt at an address is asked for; what does not say which attempt means them all. */
function isWithin(address: string, { block }: LogSelection, attempt?: number): boolean {
  if (block === undefined) return true;
  const steps = parseAddress(address);
  const own = steps.length - 1;
  return parseAddress(block).every(({ key, attempt: wanted }, index) => {
    const step = steps[index];
    if (step?.key !== key) return false;
    return wanted === undefined || wanted === ((index === own ? attempt : undefined) ?? step.attempt ?? 1);
  });
}

/** Turns entries into text, one character never into two halves, however the bytes were split into entries. */
export class LogDecoder {
  readonly #decoders = new Map<string, StringDecoder>();

  decode({ block, attempt, stream, bytes }: LogEntry): string {
    const name = `${stream} ${attempt} ${block}`;
    let decoder = this.#decoders.get(name);
    if (decoder === undefined) {
      decoder = new StringDecoder("utf8");
      this.#decoders.set(name, decoder);
    }
    return decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }
}
