import type { RunnerOptions } from "./runner-options.ts";

/** What a run that has ended leaves outside. */
export async function cleanUp(
  runId: string,
  { platform, scratch }: Pick<RunnerOptions, "platform" | "scratch">,
): Promise<void> {
  await platform.processes.endBackground(runId);
  // What can't be removed is a nuisance; it must not cost the result of the run.
  await scratch.remove().catch((error: unknown) => {
    platform.warn(`The run's scratch directory can't be removed: ${error instanceof Error ? error.message : error}`);
  });
}
