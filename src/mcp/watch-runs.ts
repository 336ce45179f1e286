import { listRuns } from "../service/list-runs.ts";
import type { Door } from "./door.ts";
import { isReachable } from "./reach-run.ts";

/** Between two looks, however much happens: whoever reads a run because it changed can't read faster. */
const leastPauseMs = 250;
/** When nothing seems to happen: a process that dies says nothing, so somebody has to look. */
const longestPauseMs = 1000;

/**
 * Tells which runs have changed, whichever process drives them: of those in the server's roots that have not ended, and each a
 * last time when it ends. Looks only between `begin` and `stop`, and keeps no process alive.
 */
export class RunWatch {
  readonly #door: Door;
  readonly #tell: (runId: string) => void;
  #current: { readonly begun: Promise<void>; readonly stopped: AbortController } | undefined;

  constructor(door: Door, tell: (runId: string) => void) {
    this.#door = door;
    this.#tell = tell;
  }

  /** Resolves once it is known how they stand: every change after that is told. Where that can't be seen it rejects, and can be tried again. */
  begin(): Promise<void> {
    if (this.#current === undefined) {
      const stopped = new AbortController();
      const begun = lookAround(this.#door).then((first) => void this.#follow(first, stopped.signal));
      this.#current = { begun, stopped };
      begun.catch(() => {
        if (this.#current?.stopped === stopped) this.#current = undefined;
      });
    }
    return this.#current.begun;
  }

  stop(): void {
    this.#current?.stopped.abort();
    this.#current = undefined;
  }

  /** A journal that can't be read for a moment is no reason to leave those who listen without a word for ever. */
  async #follow(first: Standing, signal: AbortSignal): Promise<void> {
    let before = first;
    let isFailing = false;
    while (!signal.aborted) {
      try {
        await untilChanged(this.#door, signal);
        const now = await lookAround(this.#door);
        const known = new Set([...before.keys(), ...now.keys()]);
        const changed = [...known].filter((runId) => before.get(runId) !== now.get(runId));
        before = now;
        isFailing = false;
        if (!signal.aborted) for (const runId of changed) this.#tell(runId);
      } catch (error) {
        if (!isFailing && !signal.aborted) this.#door.log("error", `Changes of runs can't be seen: ${String(error)}`);
        isFailing = true;
        await new Promise((resolve) => setTimeout(resolve, longestPauseMs).unref());
      }
    }
  }
}

type Standing = ReadonlyMap<string, string>;

/** How each run stands that has not ended: what is equal has not changed. */
async function lookAround(door: Door): Promise<Standing> {
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
    }, leastPauseMs).unref();
    const late = setTimeout(() => done(), longestPauseMs).unref();
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
