import type { WatchedRun } from "../runs/run-host.ts";
import { watchProgress } from "../views/watch-progress.ts";
import type { Call } from "./call.ts";

/** At most four a second: whoever draws them can't show more. */
const leastPauseMs = 250;
const heartbeatMs = 10_000;

/**
 * Tells a client that asked for it how far a run has come: whenever a block begins or ends, and now and then when nothing does, so
 * that a client that gives up on silence does not. What comes too fast is left out, never the latest. Returns how to stop.
 */
export async function reportProgress(run: WatchedRun, { progress }: Call): Promise<() => void> {
  if (progress === undefined) return () => {};
  let timer: NodeJS.Timeout | undefined;
  let toldAt = 0;
  const tellSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(tell, Math.max(0, toldAt + leastPauseMs - performance.now()));
  };
  const watched = await watchProgress(run, tellSoon);
  let step = watched.now().ended;
  tellSoon();
  return () => {
    watched.stop();
    clearTimeout(timer);
  };

  function tell(): void {
    const { ended, total, message } = watched.now();
    clearTimeout(timer);
    toldAt = performance.now();
    timer = setTimeout(tell, heartbeatMs);
    // The protocol wants a number that only grows: a heartbeat is a little more than the step before.
    step = Math.max(step + 0.001, ended);
    progress?.(step, Math.max(total, Math.ceil(step)), message);
  }
}
