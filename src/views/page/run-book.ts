import type { Catalog } from "../../block/catalog.ts";
import type { Journal, RunSummary } from "../../journal/journal.ts";
import { eachRun } from "../../runs/each-run.ts";
import type { Platform } from "../../runs/platform.ts";
import { rollbackStarter } from "../../runs/roll-back.ts";
import type { Log } from "../../util/log.ts";
import { listedStatus } from "../list-runs.ts";
import { longestPauseMs, untilChanged } from "../until-changed.ts";
import type { RunLine, RunsChange } from "./page-records.ts";
import { describeLine, describeUndoneLine } from "./run-line.ts";
import { RunStrips, type StripQuery } from "./strips.ts";

export interface RunBookOptions {
  readonly platform: Platform;
  readonly catalog: Catalog;
  readonly log: Log;
  /** Only runs that work in a directory of which this is true. */
  isWanted(workspace: string): boolean;
}

/**
 * All runs as lines of a list, kept in memory: what has ended hardly ever changes, so that looking again costs what has changed, however
 * many runs there are. However many listen, it looks once for all of them, and by itself only while somebody does.
 */
export class RunBook {
  readonly strips: RunStrips;
  readonly #options: RunBookOptions;
  /** What each run says of itself; nothing of those that are not wanted. */
  #own = new Map<string, OwnLine | undefined>();
  /** The same with what other runs say of them, newest first. */
  #lines: ReadonlyMap<string, RunLine> = new Map();
  readonly #listeners = new Set<(change: RunsChange) => void>();
  #watching: AbortController | undefined;
  #looking: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #hasLooked = false;

  constructor(options: RunBookOptions) {
    this.#options = options;
    this.strips = new RunStrips(options.platform, options.catalog);
  }

  /** Every run as it stands now, newest first. */
  async lines(): Promise<ReadonlyMap<string, RunLine>> {
    await this.look();
    return this.#lines;
  }

  /** Tells what changes from now on, whoever looks; returns how to stop. */
  listen(listener: (change: RunsChange) => void): () => void {
    // A function of its own, because the same one may be given twice.
    const own = (change: RunsChange): void => listener(change);
    this.#listeners.add(own);
    if (this.#watching === undefined) {
      this.#watching = new AbortController();
      void this.#watch(this.#watching.signal);
    }
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size > 0) return;
      this.#watching?.abort();
      this.#watching = undefined;
    };
  }

  /** Resolves when all is known that had happened before it was called. */
  look(): Promise<void> {
    if (this.#looking === undefined) {
      this.#looking = this.#lookAround().finally(() => {
        this.#looking = undefined;
      });
      return this.#looking;
    }
    // The one that goes on may have seen too little; the one after it serves all who come until it begins.
    this.#next ??= this.#looking
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.look();
      });
    return this.#next;
  }

  async #watch(signal: AbortSignal): Promise<void> {
    let isFailing = false;
    while (!signal.aborted) {
      try {
        await this.look();
        isFailing = false;
        await untilChanged(this.#options.platform, signal);
      } catch (error) {
        if (!isFailing && !signal.aborted)
          this.#options.log("error", `Changes of runs can't be seen: ${String(error)}`);
        isFailing = true;
        await new Promise((resolve) => setTimeout(resolve, longestPauseMs).unref());
      }
    }
  }

  async #lookAround(): Promise<void> {
    const journal = await this.#options.platform.journal();
    const sequences = await journal.sequences();
    const fresh = await this.#readFresh(journal, sequences);
    const own = new Map<string, OwnLine | undefined>();
    for (const runId of sequences.keys()) {
      // What is removed meanwhile is told the next time.
      if (fresh.has(runId)) own.set(runId, fresh.get(runId));
      else if (this.#own.has(runId)) own.set(runId, this.#own.get(runId));
    }
    this.#own = own;
    const before = this.#lines;
    this.#lines = withUndone(own);
    if (this.#hasLooked) this.#tell(before, this.#lines);
    this.#hasLooked = true;
  }

  /** Of runs that have not ended, because nobody writes down when a process dies, and of those that have changed since the last look. */
  async #readFresh(
    journal: Journal,
    sequences: ReadonlyMap<string, number>,
  ): Promise<ReadonlyMap<string, OwnLine | undefined>> {
    const fresh = new Map<string, OwnLine | undefined>();
    const read = async (summary: RunSummary): Promise<void> => {
      fresh.set(summary.runId, await this.#describe(summary));
    };
    if (!this.#hasLooked) {
      for await (const summary of eachRun(journal, {})) await read(summary);
      return fresh;
    }
    for (const summary of await journal.list({ statuses: ["running", "paused", "sleeping"] })) await read(summary);
    for (const [runId, sequence] of sequences) {
      if (fresh.has(runId)) continue;
      if (this.#own.has(runId) && (this.#own.get(runId)?.line.sequence ?? sequence) === sequence) continue;
      const summary = await journal.find(runId);
      if (summary !== undefined) await read(summary);
    }
    return fresh;
  }

  async #describe(summary: RunSummary): Promise<OwnLine | undefined> {
    const { platform, isWanted } = this.#options;
    if (!isWanted(summary.workspace)) return undefined;
    const status = listedStatus(summary, platform);
    const isOpen = status === "running" || status === "interrupted";
    const query = stripQuery(summary.runId, summary.sequence, status);
    const progress = isOpen && this.strips.isCheap(query) ? await this.strips.of(query) : undefined;
    const { undoOf, label, startedBy } = summary;
    // What was rolled back because it failed has failed.
    const isWholeUndo = undoOf !== null && label === null && startedBy !== rollbackStarter(undoOf);
    return { line: describeLine({ summary, status }, progress), isWholeUndo };
  }

  #tell(before: ReadonlyMap<string, RunLine>, now: ReadonlyMap<string, RunLine>): void {
    if (this.#listeners.size === 0) return;
    const runs = [...now.values()].filter((line) => isOther(line, before.get(line.run_id)));
    const removed = [...before.keys()].filter((runId) => !now.has(runId));
    if (runs.length + removed.length === 0) return;
    const change: RunsChange = { runs, ...(removed.length === 0 ? {} : { removed }) };
    for (const tell of [...this.#listeners]) tell(change);
  }
}

/** How the strip of a run that stands so is asked for. */
export function stripQuery(runId: string, sequence: number, status: string): StripQuery {
  const hasEnded = ["success", "failure", "cancelled", "done", "failed", "undone"].includes(status);
  return { runId, sequence, isInterrupted: status === "interrupted" || status === "queued", hasEnded };
}

interface OwnLine {
  readonly line: RunLine;
  /** It takes back all that another run did. */
  readonly isWholeUndo: boolean;
}

function isOther(line: RunLine, before: RunLine | undefined): boolean {
  if (before === undefined) return true;
  return line.sequence !== before.sequence || line.standing !== before.standing || line.says !== before.says;
}

/** An undo that was undone itself has taken nothing back. Whoever takes a run back is newer, so it is known first. */
function withUndone(own: ReadonlyMap<string, OwnLine | undefined>): ReadonlyMap<string, RunLine> {
  const undos = new Map<string, RunLine>();
  const lines = new Map<string, RunLine>();
  for (const [runId, one] of own) {
    if (one === undefined) continue;
    const undo = undos.get(runId);
    const line = undo === undefined ? one.line : describeUndoneLine(one.line, undo);
    lines.set(runId, line);
    const { undo_of: undone } = line;
    if (undone !== undefined && one.isWholeUndo && line.standing === "done" && !undos.has(undone))
      undos.set(undone, line);
  }
  return lines;
}
