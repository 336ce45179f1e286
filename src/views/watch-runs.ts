import type { Platform } from "../runs/platform.ts";
import type { Log } from "../util/log.ts";
import { listRuns } from "./list-runs.ts";
import { longestPauseMs, untilChanged } from "./until-changed.ts";

/** Where it looks. */
export interface RunWatchOptions {
  readonly platform: Platform;
  readonly log: Log;
  /** Only runs that work in a directory of which this is true. */
  isWanted(workspace: string): boolean;
}

export interface Listening {
  /** Resolves once it is known how the runs stand: every change after that is told. Rejects, and tells nothing, where that can't be seen. */
  readonly begun: Promise<void>;
  stop(): void;
}

/**
 * Tells which runs have changed, whichever process drives them: of those that have not ended, and each a
 * last time when it ends. However many listen, it looks once for all of them, and only while somebody does; it keeps no process
 * alive.
 */
export class RunWatch {
  readonly #options: RunWatchOptions;
  readonly #listeners = new Set<(runId: string) => void>();
  #current: { readonly begun: Promise<void>; readonly stopped: AbortController } | undefined;

  constructor(options: RunWatchOptions) {
    this.#options = options;
  }

  listen(listener: (runId: string) => void): Listening {
    // A function of its own, because the same one may be given twice.
    const own = (runId: string): void => listener(runId);
    this.#listeners.add(own);
    const stop = (): void => {
      this.#listeners.delete(own);
      if (this.#listeners.size === 0) this.#end();
    };
    const begun = this.#begin();
    begun.catch(stop);
    return { begun, stop };
  }

  #begin(): Promise<void> {
    if (this.#current === undefined) {
      const stopped = new AbortController();
      const begun = lookAround(this.#options).then((first) => void this.#follow(first, stopped.signal));
      this.#current = { begun, stopped };
    }
    return this.#current.begun;
  }

  #end(): void {
    this.#current?.stopped.abort();
    this.#current = undefined;
  }

  /** A journal that can't be read for a moment is no reason to leave those who listen without a word for ever. */
  async #follow(first: Standing, signal: AbortSignal): Promise<void> {
    let before = first;
    let isFailing = false;
    while (!signal.aborted) {
      try {
        await untilChanged(this.#options.platform, signal);
        const now = await lookAround(this.#options);
        const known = new Set([...before.keys(), ...now.keys()]);
        const changed = [...known].filter((runId) => before.get(runId) !== now.get(runId));
        before = now;
        isFailing = false;
        for (const runId of changed) if (!signal.aborted) for (const tell of [...this.#listeners]) tell(runId);
      } catch (error) {
        if (!isFailing && !signal.aborted)
          this.#options.log("error", `Changes of runs can't be seen: ${String(error)}`);
        isFailing = true;
        await new Promise((resolve) => setTimeout(resolve, longestPauseMs).unref());
      }
    }
  }
}

type Standing = ReadonlyMap<string, string>;

/** How each run stands that has not ended: what is equal has not changed. */
async function lookAround({ platform, isWanted }: RunWatchOptions): Promise<Standing> {
  const { runs } = await listRuns(platform, {
    statuses: ["running", "queued", "paused", "sleeping", "interrupted"],
    isWanted,
  });
  return new Map(runs.map(({ summary, status }) => [summary.runId, `${status} ${summary.sequence}`]));
}
