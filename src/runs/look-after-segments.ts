import type { OpenSegment, Segment, WorkerDispatch } from "./dispatch.ts";
import { waitingSegment } from "./enqueue-run.ts";
import type { Platform } from "./platform.ts";
import { isHeld } from "./read-run.ts";
import { findWaiting } from "./recover-runs.ts";

export interface Looked {
  readonly platform: Platform;
  readonly dispatch: WorkerDispatch;
}

/** How long a worker may take between getting a segment and taking the run; then another one gets it. */
const untakenMs = 10_000;
/** How old the segments are that are compared with their runs one by one. */
const oldMs = 30_000;
/** Those that are over are kept for as long, so that whoever asks for one again is known to. */
export const keptMs: number = 60 * 60 * 1000;

/**
 * Asks for every run that waits for a worker and that nobody has asked for: because who should have is gone, because a time to wake has
 * come, because its worker is gone, or because its workflow had no slot. Only of one workflow, if one is named.
 */
export async function askForWaiting({ platform, dispatch }: Looked, now: number, workflow?: string): Promise<void> {
  const open = await dispatch.listOpen();
  const all = await findWaiting(platform);
  const waiting = all.filter((segment) => workflow === undefined || segment.workflow === workflow);
  const byRun = new Map<string, OpenSegment[]>();
  for (const segment of open) byRun.set(segment.runId, [...(byRun.get(segment.runId) ?? []), segment]);
  // What came before a stretch that waits is over, whether or not its worker has been able to say so.
  const before = new Set(
    waiting.flatMap((segment) => (byRun.get(segment.runId) ?? []).filter((one) => !isSame(one, segment))),
  );
  await dispatch.drop([...before]);
  /** Slots that are held, by workflow, and segments that wait for the same workers. */
  const going = new Map<string, number>();
  const count = (key: string): void => void going.set(key, (going.get(key) ?? 0) + 1);
  for (const segment of open) if (segment.slotOf !== undefined && !before.has(segment)) count(segment.slotOf);
  const missing: Segment[] = [];
  for (const segment of waiting) {
    const same = byRun.get(segment.runId)?.find((one) => isSame(one, segment));
    if (same === undefined) missing.push(segment);
    else if (same.takenAt === undefined) count(workersOf(segment));
    else if (now - same.takenAt > untakenMs) await dispatch.putBack(same);
  }
  for (const segment of missing) {
    const { concurrency = Number.POSITIVE_INFINITY } = segment.queue;
    if ((going.get(segment.workflow) ?? 0) + (going.get(workersOf(segment)) ?? 0) >= concurrency) continue;
    await dispatch.enqueue(segment);
    count(workersOf(segment));
  }
}

function workersOf({ workflow, queue, host }: Segment): string {
  return JSON.stringify([workflow, [...queue.labels].sort(), host ?? queue.host]);
}

/** Closes what workers that are gone have left open of runs that nobody has to drive, and forgets what is long over. */
export async function clearSegments({ platform, dispatch }: Looked, now: number): Promise<void> {
  const journal = await platform.journal();
  const needless: OpenSegment[] = [];
  const open = await dispatch.listOpen();
  const waiting = new Set((await findWaiting(platform)).map(({ runId }) => runId));
  for (const segment of open) {
    // What waits and can't be driven any more was cancelled or removed.
    const isOld = segment.takenAt === undefined ? !waiting.has(segment.runId) : now - segment.takenAt >= oldMs;
    if (!isOld) continue;
    const summary = await journal.find(segment.runId);
    const isGoingOn = summary !== undefined && summary.fence === segment.fence + 1 && isHeld(summary, platform);
    const isWaiting = summary !== undefined && waitingSegment(summary, platform) !== undefined;
    if (!isGoingOn && !isWaiting) needless.push(segment);
  }
  await dispatch.drop(needless);
  await dispatch.forget(keptMs);
}

/** Whether it is the very stretch of its run. */
export function isSame(one: Pick<Segment, "runId" | "sequence" | "fence">, other: typeof one): boolean {
  return one.runId === other.runId && one.sequence === other.sequence && one.fence === other.fence;
}
