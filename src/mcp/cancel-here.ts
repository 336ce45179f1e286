import { type CancelOptions, cancelPatienceMs } from "../runs/cancel-run.ts";
import { Audience } from "../runs/run-host.ts";
import type { ServerContext } from "./server-context.ts";

/**
 * How a server cancels a run that nobody drives: what is under its `finally` goes on whoever waits for it, for as long as it may,
 * and is left where it is when the server ends.
 */
export function cancelHere({ host }: ServerContext, signal: AbortSignal = new AbortController().signal): CancelOptions {
  const audience = new Audience();
  return {
    onEvents: (events) => audience.onEvents(events),
    onOutput: (path, stream, chunk) => audience.onOutput(path, stream, chunk),
    async drive(run) {
      host.take(run, audience);
      await host.wait(run.runId, cancelPatienceMs, signal);
    },
  };
}
