import type { BrowserAnswer, BrowserProblem, BrowserRequest, Browsers } from "../../block/browsers.ts";
import { KeyedLocks } from "../../util/keyed-locks.ts";
import { err, type Result } from "../../util/result.ts";
import { type BrowserParts, RunBrowser } from "./run-browser.ts";

export interface OpenBrowsers extends Browsers {
  /** Ends those of all runs. */
  close(): Promise<void>;
}

/** Nothing of a browser is loaded or started before a page is opened. */
export function createBrowsers(parts: BrowserParts): OpenBrowsers {
  const runs = new Map<string, RunBrowser>();
  const locks = new KeyedLocks();

  async function perform(request: BrowserRequest): Promise<Result<BrowserAnswer, BrowserProblem>> {
    const { owner, session, signal } = request;
    const run = runs.get(owner) ?? new RunBrowser(owner, parts);
    runs.set(owner, run);
    // A session is one person: it does one thing after another. One that nobody waits for any more still comes to its end first.
    const done = locks.run(JSON.stringify([owner, session]), () => run.perform(request), signal);
    return untilAborted(done, signal);
  }

  async function end(owner: string): Promise<void> {
    const run = runs.get(owner);
    runs.delete(owner);
    await run?.end();
  }

  return {
    perform,
    end,
    close: async () => void (await Promise.all([...runs.keys()].map(end))),
  };
}

const aborted: Result<never, BrowserProblem> = err({ kind: "aborted", message: "aborted" });

async function untilAborted<T>(
  done: Promise<Result<T, BrowserProblem>>,
  signal: AbortSignal,
): Promise<Result<T, BrowserProblem>> {
  if (signal.aborted) {
    done.catch(() => {});
    return aborted;
  }
  let stop = (): void => {};
  const abort = new Promise<Result<T, BrowserProblem>>((resolve) => {
    const give = (): void => resolve(aborted);
    signal.addEventListener("abort", give);
    stop = () => signal.removeEventListener("abort", give);
  });
  try {
    return await Promise.race([done, abort]);
  } catch (error) {
    if (signal.aborted) return aborted;
    throw error;
  } finally {
    stop();
  }
}
