import type { RunnerOptions } from "./runner-options.ts";

/** What a run that has ended leaves outside. A rerun of one that did not succeed goes on with what is in its scratch directory. */
export async function cleanUp(
  runId: string,
  hasSucceeded: boolean,
  { platform, scratch }: Pick<RunnerOptions, "platform" | "scratch">,
): Promise<void> {
  await platform.processes.endBackground(runId);
  const removed = hasSucceeded ? scratch.remove() : scratch.removeIfEmpty();
  // What can't be removed is a nuisance; it must not cost the result of the run.
  await removed.catch((error: unknown) => {
    platform.warn(`The run's scratch directory can't be removed: ${error instanceof Error ? error.message : error}`);
  });
}
