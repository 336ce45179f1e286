import { randomBytes } from "node:crypto";
import { pathOf } from "../../engine/address.ts";
import type { RunEvent } from "../../engine/events.ts";
import type { Platform } from "../../runs/platform.ts";
import { statusOf } from "../../runs/read-run.ts";
import type { Log } from "../../util/log.ts";
import { isSliceOver, nextSlice } from "../../util/time-slice.ts";
import { waitWithin } from "../../util/wait-within.ts";
import type { ChosenLogs } from "../choose-logs.ts";
import { type LogEntry, LogReader } from "../read-logs.ts";
import { untilChanged } from "../until-changed.ts";
import type { LogLine, LogLines } from "./detail-records.ts";
import { LogSplitter } from "./split-log.ts";

/** A block that writes says nothing of it: somebody has to look. */
const lookMs = 150;
/** For so long a line without an end is held. */
const openLineMs = 1000;
/** Lines that are kept for those who listen, and characters in them; whoever reads more slowly than that misses some, and is told so. */
const mostLines = 20_000;
const mostCharacters = 4_000_000;

/** Lines for somebody who listens. */
export interface LogPart {
  readonly record: LogLines;
  /** What they have heard before is to be forgotten. */
  readonly isFresh: boolean;
  /** The number of the last line in it. */
  readonly last: number;
}

export interface LogTailOptions extends ChosenLogs {
  readonly platform: Platform;
  readonly log: Log;
  readonly runId: string;
}

/**
 * The end of what the blocks of a run write, for all who listen to the same: it looks once for all of them, and only while somebody does. Lines
 * have numbers, which count for as long as this object is there: whoever comes again with one gets what came after it.
 */
export class LogTail {
  readonly id: string = randomBytes(6).toString("hex");
  readonly #options: LogTailOptions;
  readonly #reader: LogReader;
  readonly #listeners = new Set<() => void>();
  #splitter: LogSplitter;
  #following: AbortController | undefined;
  #followed: Promise<void> = Promise.resolve();
  #lines: LogLine[] = [];
  #characters = 0;
  /** Of the first line that is kept, and of the first of the attempt that is shown. */
  #first = 1;
  #begin = 1;
  #attempt = 0;
  #sequence = 0;
  #isLoaded = false;
  #isOver = false;
  #hasEnded = false;

  constructor(options: LogTailOptions) {
    this.#options = options;
    this.#reader = new LogReader(options.platform.logs, options.runId, options.selection);
    this.#splitter = new LogSplitter(!options.isSingle);
  }

  /** Calls when there may be something new; returns how to stop. */
  listen(listener: () => void): () => void {
    // A function of its own, because the same one may be given twice.
    const own = (): void => listener();
    this.#listeners.add(own);
    if (this.#following === undefined && !this.#hasEnded) {
      const following = new AbortController();
      this.#following = following;
      // Whoever was asked to stop may be in the midst of a look, and two of them would read the same.
      this.#followed = this.#followed.then(() => this.#follow(following.signal));
    }
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size > 0) return;
      this.#following?.abort();
      this.#following = undefined;
    };
  }

  get isListenedTo(): boolean {
    return this.#listeners.size > 0;
  }

  /** Whether whoever has heard this line has heard everything. */
  isAll(line: number): boolean {
    return this.#hasEnded && line === this.#last;
  }

  /** What came after a line, at most so many lines of it: the last ones for who has heard none. Nothing where there is nothing new. */
  read(after: number | undefined, most: number): LogPart | undefined {
    if (!this.#isLoaded) return undefined;
    const isFresh = after === undefined || after < this.#begin - 1 || after > this.#last;
    const from = isFresh ? Math.max(this.#first, this.#begin, this.#last - most + 1) : Math.max(this.#first, after + 1);
    const lines = this.#lines.slice(from - this.#first, from - this.#first + most);
    const last = from + lines.length - 1;
    const skipped = from - (isFresh ? this.#begin : after + 1);
    const hasEnded = this.#hasEnded && last === this.#last;
    if (!isFresh && lines.length === 0 && !hasEnded) return undefined;
    const record = { lines, ...(skipped > 0 ? { skipped } : {}), ...(hasEnded ? { has_ended: true as const } : {}) };
    return { record, isFresh, last };
  }

  /** Its last lines as they are now, for who does not listen. */
  readEnd(most: number): Promise<LogLines> {
    const known = this.read(undefined, most);
    // Where nobody listened, there may be more than was read last.
    if (known !== undefined && (this.isListenedTo || this.#hasEnded)) return Promise.resolve(known.record);
    return new Promise((resolve) => {
      const stop = this.listen(() => {
        const part = this.read(undefined, most);
        if (part === undefined) return;
        stop();
        resolve(part.record);
      });
    });
  }

  get #last(): number {
    return this.#first + this.#lines.length - 1;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { platform, log, runId } = this.#options;
    let isFailing = false;
    while (!signal.aborted) {
      try {
        const isRunning = await this.#look(signal);
        isFailing = false;
        this.#tell();
        if (this.#hasEnded) return;
        if (isRunning) await waitWithin(platform.logs.shared?.lookMs ?? lookMs, () => undefined, signal);
        else await untilChanged(platform, signal);
      } catch (error) {
        if (!isFailing && !signal.aborted) log("error", `The log of ${runId} can't be read: ${String(error)}`);
        isFailing = true;
        await waitWithin(1000, () => undefined, signal);
      }
    }
  }

  /** Whether a process drives the run. */
  async #look(signal: AbortSignal): Promise<boolean> {
    const { platform, runId } = this.#options;
    const journal = await platform.journal();
    // Looked at before the logs are read: what was written before the end is then all there.
    const summary = await journal.find(runId);
    if (signal.aborted) return false;
    const status = summary === undefined ? "failure" : statusOf(summary, platform);
    if (summary !== undefined && summary.sequence > this.#sequence) {
      for (const event of await journal.read(runId, this.#sequence)) {
        this.#learn(event);
        if (isSliceOver()) await nextSlice();
      }
    }
    for await (const entries of this.#reader.take()) {
      for (const entry of entries) {
        this.#add(entry);
        if (!isSliceOver()) continue;
        this.#tell();
        await nextSlice();
      }
    }
    const isOver = this.#isOver || status === "success" || status === "failure";
    const before = isOver || status !== "running" ? Number.POSITIVE_INFINITY : Date.now() - openLineMs;
    for (const line of this.#splitter.takeOpen(before)) this.#keep(line);
    this.#isLoaded = true;
    this.#hasEnded = isOver;
    return status === "running";
  }

  #learn(event: RunEvent): void {
    this.#sequence += 1;
    this.#reader.learn([event]);
    const { isSingle, selection } = this.#options;
    if (!isSingle || selection.block === undefined || !("path" in event) || event.path !== pathOf(selection.block))
      return;
    const wanted = Number(/@(\d+)$/.exec(selection.block)?.[1] ?? 0);
    const isWanted = !("attempt" in event) || wanted === 0 || event.attempt === wanted;
    if (event.type === "block-started" && isWanted) this.#isOver = false;
    if (event.type === "attempt-ended" && wanted > 0 && isWanted) this.#isOver = true;
    if (["block-finished", "block-skipped", "block-reused"].includes(event.type)) this.#isOver = true;
    // Of a block the attempt is shown that goes on, or was the last.
    if (event.type === "block-started" && isWanted) this.#beginAnew(event.attempt);
  }

  #beginAnew(attempt: number): void {
    this.#attempt = attempt;
    this.#begin = this.#last + 1;
    this.#splitter = new LogSplitter(false);
  }

  #add(entry: LogEntry): void {
    if (this.#options.isSingle && entry.attempt < this.#attempt) return;
    for (const line of this.#splitter.add(entry)) this.#keep(line);
  }

  #keep(line: LogLine): void {
    this.#lines.push(line);
    this.#characters += line.text.length;
    if (this.#lines.length <= mostLines * 1.1 && this.#characters <= mostCharacters * 1.1) return;
    let gone = 0;
    // Many at once: each time, all that stay are moved.
    while (this.#lines.length - gone > mostLines || this.#characters > mostCharacters) {
      this.#characters -= this.#lines[gone]?.text.length ?? 0;
      gone += 1;
    }
    this.#lines = this.#lines.slice(gone);
    this.#first += gone;
  }

  #tell(): void {
    if (this.#isLoaded) for (const tell of [...this.#listeners]) tell();
  }
}

/** For so long a log that nobody listens to is kept for who comes again. */
const keptMs = 60_000;

/** The logs that somebody listens to. */
export class LogTails {
  readonly #tails = new Map<string, { readonly tail: LogTail; leaving: NodeJS.Timeout | undefined }>();

  /** The same for all who ask for the same, while somebody listens to it and for a while after that. */
  of(options: LogTailOptions): LogTail {
    const { runId, selection, isSingle } = options;
    const key = JSON.stringify([runId, selection.block, selection.attempt, isSingle]);
    const kept = this.#tails.get(key) ?? { tail: new LogTail(options), leaving: undefined };
    this.#tails.set(key, kept);
    clearInterval(kept.leaving);
    kept.leaving = setInterval(() => {
      if (kept.tail.isListenedTo) return;
      clearInterval(kept.leaving);
      this.#tails.delete(key);
    }, keptMs).unref();
    return kept.tail;
  }
}
