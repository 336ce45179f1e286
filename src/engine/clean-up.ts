import type { RunFinished } from "./events.ts";
import type { RunnerOptions } from "./runner-options.ts";

/** What a run that has ended leaves outside. A rerun of one that did not succeed goes on with what is in its scratch directory. */
export async function cleanUp(
  runId: string,
  { outcome }: Pick<RunFinished, "outcome">,
  { platform, scratch }: Pick<RunnerOptions, "platform" | "scratch">,
): Promise<void> {
  await Promise.all([platform.processes.endBackground(runId), platform.browsers.end(runId)]);
  const removed = outcome === "success" ? scratch.remove() : scratch.removeIfEmpty();
  // What can't be removed is a nuisance; it must not cost the result of the run.
  await removed.catch((error: unknown) => {
    platform.warn(`The run's scratch directory can't be removed: ${error instanceof Error ? error.message : error}`);
  });
}
