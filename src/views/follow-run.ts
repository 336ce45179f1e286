import type { Catalog } from "../block/catalog.ts";
import { restoreState } from "../engine/restore-state.ts";
import { applyEvent, type RunState } from "../engine/state.ts";
import type { Platform } from "../runs/platform.ts";
import { Audience, type WatchedRun } from "../runs/run-host.ts";
import { isSliceOver, nextSlice } from "../util/time-slice.ts";

/** A run that another process drives, seen through the journal. */
export interface FollowedRun extends WatchedRun {
  /** Resolves when all that has happened until now is told. */
  catchUp(): Promise<void>;
  stop(): void;
}

/** Tells what happens in a run whichever process drives it, from now on. Nothing when there is none that can be read. */
export async function followRun(platform: Platform, catalog: Catalog, runId: string): Promise<FollowedRun | undefined> {
  const journal = await platform.journal();
  const events = await journal.read(runId);
  if (events.length === 0) return undefined;
  const restored = await restoreState(events, catalog);
  if (!restored.ok) return undefined;
  const state = restored.value;
  const audience = new Audience();
  let sequence = events.length;
  const takeFresh = async (): Promise<void> => {
    const fresh = await journal.read(runId, sequence);
    for (const event of fresh) {
      applyEvent(state, event);
      if (isSliceOver()) await nextSlice();
    }
    sequence += fresh.length;
    if (fresh.length > 0) audience.onEvents(fresh);
  };
  let reading = Promise.resolve();
  const look = (): void => {
    // Whoever waits for the run is told what is wrong; here it is enough to look again.
    reading = reading.then(takeFresh).catch(() => {});
  };
  const stop = journal.subscribe(look);
  // What has happened since it was read first is told to nobody, but counts.
  const catchUp = (): Promise<void> => {
    look();
    return reading;
  };
  await catchUp();
  return { run: { inspect: async <T>(see: (state: RunState) => T) => see(state) }, audience, catchUp, stop };
}
