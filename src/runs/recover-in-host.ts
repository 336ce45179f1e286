import type { RunSummary } from "../journal/journal.ts";
import { waitWithin } from "../util/wait-within.ts";
import { explainFailure } from "./explain-failure.ts";
import type { Platform } from "./platform.ts";
import { findLeft } from "./recover-runs.ts";
import { Audience, type RunHost } from "./run-host.ts";
import type { Runtime } from "./runtime.ts";
import { drivenElsewhereCode, endedCode, takeOver } from "./take-over.ts";

export interface RecoverOptions {
  readonly platform: Platform;
  readonly host: RunHost;
  openRuntime(workspace: string): Runtime;
  /** Only runs that work in a directory of which this is true. */
  isWanted(workspace: string): boolean;
}

/** Between two looks. A run that the host drove itself is woken to the moment; this is for what others have left. */
const lookMs = 10_000;

/**
 * Lets the host go on with every run that nobody drives although its process is gone or its time to wake has come: now, and again
 * and again until the signal comes.
 */
export async function recoverInHost(options: RecoverOptions, signal: AbortSignal): Promise<void> {
  const { platform } = options;
  /** Those that can't be gone on with, each told of once. */
  const refused = new Set<string>();
  while (!signal.aborted) {
    try {
      const { here, elsewhere } = await findLeft(platform);
      // Those of other machines are refused, and told of.
      for (const run of [...here, ...elsewhere]) {
        if (signal.aborted) return;
        if (options.isWanted(run.workspace) && !refused.has(run.runId)) await recoverOne(run, options, refused);
      }
    } catch (error) {
      platform.warn(`Runs to recover can't be looked for: ${describe(error)}`);
    }
    await waitWithin(lookMs, () => undefined, signal);
  }
}

async function recoverOne(
  { runId, workspace }: RunSummary,
  { platform, host, openRuntime }: RecoverOptions,
  refused: Set<string>,
): Promise<void> {
  const audience = new Audience();
  try {
    const taken = await takeOver(openRuntime(workspace), runId, audience);
    if (taken.ok) return void host.take(taken.value, audience);
    // Somebody else was faster.
    if (taken.error.code === drivenElsewhereCode || taken.error.code === endedCode) return;
    refused.add(runId);
    platform.warn(`${runId} can't be recovered: ${taken.error.message}`);
  } catch (error) {
    // One that can't go on must not keep the others from it.
    refused.add(runId);
    platform.warn(`${runId} can't be recovered: ${describe(error)}`);
  }
}

function describe(error: unknown): string {
  return explainFailure(error)?.message ?? (error instanceof Error ? error.message : String(error));
}
