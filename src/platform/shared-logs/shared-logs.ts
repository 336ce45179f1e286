import type { LogChunk, LogPart, RunLog, RunLogs, SharedLogs } from "../../block/ports.ts";
import { settledWithin } from "../../util/wait-within.ts";
import { parseFrames } from "../files/log-frames.ts";
import type { LogFiles } from "../files/run-logs.ts";
import { LogShipper, type TrackedLog } from "./log-shipper.ts";
import { type LogDatabase, type LogName, LogTable } from "./log-table.ts";

/** What others write comes a few times a second. */
const lookMs = 250;
/** How long a block that goes on waits for what it has written elsewhere. */
const longestFetchMs = 5000;

export interface SharedLogsOptions {
  readonly files: LogFiles;
  /** Called on first use, and again where that failed. */
  connect(): Promise<LogDatabase>;
  readonly warn: (message: string) => void;
}

/**
 * Logs that are written to files of this machine and sent from there to a database, which any machine reads. A process that dies loses what it
 * had not sent, until one on the same machine goes on with the run. Without the database, logs are written all the same.
 */
export function createSharedLogs({ files, connect, warn }: SharedLogsOptions): RunLogs {
  const table = new LogTable(connect);
  const shipper = new LogShipper({ files, table, warn });
  const shared: SharedLogs = {
    lookMs,
    claim(runId) {
      for (const key of files.keys(runId)) shipper.track({ runId, ...key }, false);
    },
    async fetch(runId, key) {
      const over = new AbortController();
      let reason: string | undefined = "the database does not answer";
      const fetched = fetchLog({ runId, ...key }, over.signal).then(
        () => {
          reason = undefined;
        },
        (error: unknown) => {
          reason = error instanceof Error ? error.message : String(error);
        },
      );
      await settledWithin(fetched, longestFetchMs);
      over.abort();
      if (reason !== undefined) warn(unfetched(runId, reason));
    },
    flush: (runId) => shipper.flush((log) => log.runId === runId),
    async close() {
      await shipper.flush(() => true);
      shipper.stop();
      await table.close();
    },
  };

  /** After the signal the block writes, so the file stays as it is. */
  async function fetchLog(name: LogName, over: AbortSignal): Promise<void> {
    if (shipper.isTracked(name)) return;
    const [length = 0] = (await table.lengths([name])).values();
    if (length === 0 || (await shipper.agrees(name, length))) return;
    const stored = await table.read(name, 0);
    if (stored !== undefined && !over.aborted) files.replace(name.runId, name, stored.bytes);
  }

  async function isHere(name: LogName): Promise<boolean> {
    const size = files.size(name.runId, name);
    if (shipper.isTracked(name)) return true;
    if (size === 0) return false;
    // Where the database is away, what is here is better than nothing.
    const [length = 0] = (await table.lengths([name]).catch(() => new Map<string, number>())).values();
    return length <= size;
  }

  async function read(name: LogName, position: number): Promise<LogPart> {
    if (await isHere(name)) return files.read(name.runId, name, position);
    const stored = await table.read(name, position);
    if (stored === undefined) return { chunks: [], position: 0 };
    const part = parseFrames(stored.bytes);
    return { chunks: part.chunks, position: position + part.position };
  }

  async function readEnd(name: LogName): Promise<readonly LogChunk[]> {
    if (await isHere(name)) return files.readEnd(name.runId, name);
    const last = await table.last(name);
    return last === undefined ? [] : parseFrames(last.bytes).chunks;
  }

  return {
    shared,
    open: (runId, key) => new SharedLog(files.open(runId, key), { runId, ...key }, files, shipper),
    read: (runId, { block, attempt }, position = 0) => read({ runId, block, attempt }, position),
    readEnd: (runId, { block, attempt }) => readEnd({ runId, block, attempt }),
    async sizes() {
      const sizes = new Map(await files.sizes());
      for (const [runId, bytes] of await table.sizes()) sizes.set(runId, bytes + (sizes.get(runId) ?? 0));
      return sizes;
    },
    async remove(runId) {
      await files.remove(runId);
      shipper.forget(runId);
      await table.remove(runId);
    },
  };
}

function unfetched(runId: string, reason: string): string {
  return `What a block of ${runId} wrote on another machine can't be read: ${reason.replace(/\.$/, "")}. What it writes now is kept on this machine alone.`;
}

class SharedLog implements RunLog {
  readonly #log: RunLog;
  readonly #name: LogName;
  readonly #files: LogFiles;
  readonly #shipper: LogShipper;
  #tracked: TrackedLog | undefined;

  constructor(log: RunLog, name: LogName, files: LogFiles, shipper: LogShipper) {
    this.#log = log;
    this.#name = name;
    this.#files = files;
    this.#shipper = shipper;
  }

  write(...written: Parameters<RunLog["write"]>): void {
    this.#tracked ??= this.#track();
    this.#log.write(...written);
    this.#shipper.noteWrite(this.#tracked);
  }

  close(): void {
    this.#log.close();
    if (this.#tracked !== undefined) this.#shipper.noteClose(this.#tracked);
  }

  /** Of a log that begins here nothing has been sent. */
  #track(): TrackedLog {
    const size = this.#files.size(this.#name.runId, this.#name);
    return this.#shipper.track(this.#name, true, size === 0 ? 0 : undefined);
  }
}
