import type { DrivenRun, RunListener } from "../runs/driven-run.ts";
import { Audience } from "../runs/run-host.ts";
import type { Result } from "../util/result.ts";
import type { ServerContext } from "./server-context.ts";

/** Begins, or goes on with, a run by a use case; where that gives one to drive, this server drives it from then on. */
export async function driveHere<Begun, Refused>(
  { host }: ServerContext,
  begin: (listener: RunListener) => Promise<Result<Begun, Refused>>,
  runOf: (begun: Begun) => DrivenRun | undefined,
): Promise<Result<Begun, Refused>> {
  const audience = new Audience();
  const begun = await begin({ onEvents: (events) => audience.onEvents(events), onOutput: () => {} });
  const run = begun.ok ? runOf(begun.value) : undefined;
  if (run !== undefined) host.take(run, audience);
  return begun;
}
