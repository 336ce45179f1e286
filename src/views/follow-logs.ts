import type { RunSummary } from "../journal/journal.ts";
import type { Platform } from "../runs/platform.ts";
import { type RunStatus, statusOf } from "../runs/read-run.ts";
import { waitWithin } from "../util/wait-within.ts";
import type { LogEntry, LogReader } from "./read-logs.ts";
import type { ReadPatiently } from "./wait-out-outages.ts";

/** A process that dies says nothing, and neither does a block that writes: somebody has to look. */
const lookMs = 100;

export interface Followed {
  readonly summary: RunSummary;
  readonly status: RunStatus;
}

/**
 * What the blocks of a run write, whichever process drives it, until it has ended, waits, or nobody drives it any more: the value
 * at the end says which. One that was left by its worker is followed until the next has taken it. Nothing when the signal came first, or the run has been removed.
 */
export async function* followLogs(
  platform: Platform,
  runId: string,
  reader: LogReader,
  signal: AbortSignal,
  patiently: ReadPatiently,
): AsyncGenerator<Iterable<LogEntry>, Followed | undefined> {
  const journal = await platform.journal();
  let sequence = 0;
  for (;;) {
    // Looked at before the logs are read: what was written before the end is then all there.
    const summary = await patiently(() => journal.find(runId));
    if (summary === undefined || signal.aborted) return undefined;
    const status = statusOf(summary, platform);
    if (summary.sequence > sequence) {
      const events = await patiently(() => journal.read(runId, sequence));
      sequence += events.length;
      reader.learn(events);
    }
    yield* reader.take();
    if (status !== "running" && !(status === "queued" && hasBegun(summary))) return { summary, status };
    await waitWithin(platform.logs.shared?.lookMs ?? lookMs, () => undefined, signal);
  }
}

/** Whether a worker has had it before. */
function hasBegun({ fence }: RunSummary): boolean {
  return fence > 1;
}
