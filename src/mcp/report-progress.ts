import { consumeEvent, type EventTable, ignoreEvent } from "../engine/events.ts";
import type { WatchedRun } from "../runs/run-host.ts";
import type { Call } from "./call.ts";

/** At most four a second: whoever draws them can't show more. */
const leastPauseMs = 250;
const heartbeatMs = 10_000;

/**
 * Tells a client that asked for it how far a run has come: whenever a block begins or ends, and now and then when nothing does, so
 * that a client that gives up on silence does not. What comes too fast is left out, never the latest. Returns how to stop.
 */
export async function reportProgress({ run, audience }: WatchedRun, { progress }: Call): Promise<() => void> {
  if (progress === undefined) return () => {};
  let { total, ended, message } = await run.inspect(({ nodes }) => {
    const blocks = [...nodes.values()].filter(({ parent }) => parent !== undefined);
    return { total: blocks.length, ended: blocks.filter((node) => node.ended).length, message: describeNow(blocks) };
  });
  let step = ended;
  let timer: NodeJS.Timeout | undefined;
  let toldAt = 0;
  const tell = (): void => {
    clearTimeout(timer);
    toldAt = performance.now();
    timer = setTimeout(tell, heartbeatMs);
    // The protocol wants a number that only grows: a heartbeat is a little more than the step before.
    step = Math.max(step + 0.001, ended);
    progress(step, Math.max(total, Math.ceil(step)), message);
  };
  const tellSoon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(tell, Math.max(0, toldAt + leastPauseMs - performance.now()));
  };
  const stopWatching = audience.watch((events) => {
    for (const event of events) {
      const described = consumeEvent(messages, event);
      if (described === undefined) continue;
      message = described;
      if (event.type === "block-finished" || event.type === "block-skipped") ended += 1;
    }
    // A run that is being stopped can't be looked at any more, and needs no better total.
    run
      .inspect(({ nodes }) => nodes.size - 1)
      .then(
        (blocks) => {
          total = blocks;
        },
        () => {},
      );
    tellSoon();
  });
  tellSoon();
  return () => {
    stopWatching();
    clearTimeout(timer);
  };
}

interface Standing {
  readonly path: string;
  readonly stage: { readonly kind: string };
}

/** What the last event would have told, had the client been there: most blocks begin before anybody watches. */
function describeNow(blocks: readonly Standing[]): string {
  const latest = (kind: string): string | undefined => blocks.findLast(({ stage }) => stage.kind === kind)?.path;
  const [running, asking] = [latest("running"), latest("asking")];
  if (running !== undefined) return `${running} started`;
  return asking === undefined ? "started" : `${asking} asks`;
}

const messages: EventTable<[], string | undefined> = {
  "block-started": ({ path }) => `${path} started`,
  "block-finished": ({ path, outcome }) => `${path} ${outcome === "success" ? "succeeded" : "failed"}`,
  "block-skipped": ({ path }) => `${path} skipped`,
  "block-paused": ({ path }) => `${path} asks`,
  "block-resumed": ({ path }) => `${path} goes on`,
  "block-interrupted": ignoreEvent,
  "block-cancelling": ignoreEvent,
  "prompt-answered": ignoreEvent,
  "process-started": ignoreEvent,
  "file-changed": ignoreEvent,
  "run-started": ignoreEvent,
  "run-paused": ignoreEvent,
  "run-resumed": ignoreEvent,
  "run-cancelling": ignoreEvent,
  "run-finished": ignoreEvent,
};
