import type { RunLogs } from "../block/ports.ts";
import { JournalError } from "../journal/journal.ts";
import { waitWithin } from "../util/wait-within.ts";

/** Reads once more what can't be read because the database is away for a while. */
export type ReadPatiently = <T>(read: () => Promise<T>) => Promise<T>;

export interface OutageOptions {
  readonly signal: AbortSignal;
  /** Told once in each outage, why. */
  onAway(why: string): void;
  readonly longestMs?: number;
}

/** A restart of a server takes less. */
const longest = 60_000;
const retryMs = 500;

/** For whoever watches a run that others drive: it goes on whether or not it can be seen. Rejects when it takes too long, or with the signal. */
export function waitOutOutages({ signal, onAway, longestMs = longest }: OutageOptions): ReadPatiently {
  return async (read) => {
    let awaySince: number | undefined;
    for (;;) {
      try {
        return await read();
      } catch (error) {
        if (!isAway(error) || signal.aborted) throw error;
        if (awaySince === undefined) onAway(error.message);
        awaySince ??= performance.now();
        if (performance.now() - awaySince >= longestMs) throw error;
        await waitWithin(retryMs, () => undefined, signal);
      }
    }
  };
}

export function readLogsPatiently(logs: Pick<RunLogs, "read">, patiently: ReadPatiently): Pick<RunLogs, "read"> {
  return { read: (...asked) => patiently(() => logs.read(...asked)) };
}

export function isAway(error: unknown): error is JournalError {
  return error instanceof JournalError && error.code === "busy";
}
