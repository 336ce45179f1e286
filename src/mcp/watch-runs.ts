import { listRuns } from "../service/list-runs.ts";
import type { Door } from "./door.ts";
import { isReachable } from "./reach-run.ts";

/** Between two looks, however much happens: whoever reads a run because it changed can't read faster. */
const leastPauseMs = 250;
/** When nothing seems to happen: a process that dies says nothing, so somebody has to look. */
const longestPauseMs = 1000;

/**
 * Tells which runs have changed, whichever process drives them: of those in the server's roots that have not ended, and each a
 * last time when it ends. Resolves, with how to stop, once it is known how they stand; every change after that is told.
 */
export async function watchRuns(door: Door, tell: (runId: string) => void): Promise<() => void> {
  const stopped = new AbortController();
  let before = await lookAround(door);
  void (async () => {
    while (!stopped.signal.aborted) {
      await untilChanged(door, stopped.signal);
      const now = await lookAround(door);
      const known = new Set([...before.keys(), ...now.keys()]);
      const changed = [...known].filter((runId) => before.get(runId) !== now.get(runId));
      before = now;
      if (!stopped.signal.aborted) for (const runId of changed) tell(runId);
    }
  })().catch((error: unknown) => {
    if (!stopped.signal.aborted) door.log("error", `Changes of runs are no longer told: ${String(error)}`);
  });
  return () => stopped.abort();
}

/** How each run stands that has not ended: what is equal has not changed. */
async function lookAround(door: Door): Promise<ReadonlyMap<string, string>> {
  const { runs } = await listRuns(door.outside, {
    statuses: ["running", "paused", "interrupted"],
    isWanted: (workspace) => isReachable(workspace, door),
  });
  return new Map(runs.map(({ summary, status }) => [summary.runId, `${status} ${summary.sequence}`]));
}

/** Resolves after the least pause when something happens meanwhile, else when it does; at the latest after the longest one. */
async function untilChanged({ outside }: Door, signal: AbortSignal): Promise<void> {
  const journal = await outside.journal();
  await new Promise<void>((resolve) => {
    let hasChanged = false;
    let isEarly = true;
    const early = setTimeout(() => {
      isEarly = false;
      if (hasChanged) done();
    }, leastPauseMs);
    const late = setTimeout(() => done(), longestPauseMs);
    const unsubscribe = journal.subscribe(() => {
      hasChanged = true;
      if (!isEarly) done();
    });
    signal.addEventListener("abort", done, { once: true });
    function done(): void {
      clearTimeout(early);
      clearTimeout(late);
      unsubscribe();
      signal.removeEventListener("abort", done);
      resolve();
    }
  });
}
