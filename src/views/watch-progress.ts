import { consumeEvent, type EventTable, ignoreEvent } from "../engine/events.ts";
import type { WatchedRun } from "../runs/run-host.ts";

/** How far a run has come. */
export interface Progress {
  /** Blocks that have ended, of those that are known so far. */
  readonly ended: number;
  readonly total: number;
  /** What happened last, in a few words. */
  readonly message: string;
}

export interface WatchedProgress {
  /** As it is now. */
  now(): Progress;
  stop(): void;
}

/** Keeps count of how far a run has come; tells whenever something happens in it. */
export async function watchProgress({ run, audience }: WatchedRun, onChange: () => void): Promise<WatchedProgress> {
  let { total, ended, message } = await run.inspect(({ nodes }) => {
    const blocks = [...nodes.values()].filter(({ parent }) => parent !== undefined);
    return { total: blocks.length, ended: blocks.filter((node) => node.ended).length, message: describeNow(blocks) };
  });
  const stop = audience.watch((events) => {
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
    onChange();
  });
  return { now: () => ({ ended, total, message }), stop };
}

interface Standing {
  readonly path: string;
  readonly stage: { readonly kind: string };
}

/** What the last event would have told, had somebody watched: most blocks begin before anybody does. */
function describeNow(blocks: readonly Standing[]): string {
  const latest = (kind: string): string | undefined => blocks.findLast(({ stage }) => stage.kind === kind)?.path;
  const [running, asking, sleeping] = [latest("running"), latest("asking"), latest("sleeping")];
  if (running !== undefined) return `${running} started`;
  if (asking !== undefined) return `${asking} asks`;
  return sleeping === undefined ? "started" : `${sleeping} sleeps`;
}

const messages: EventTable<[], string | undefined> = {
  "block-started": ({ path }) => `${path} started`,
  "block-finished": ({ path, outcome }) => `${path} ${outcome === "success" ? "succeeded" : "failed"}`,
  "block-skipped": ({ path }) => `${path} skipped`,
  "block-reused": ({ path }) => `${path} reused`,
  "block-paused": ({ path }) => `${path} asks`,
  "block-resumed": ({ path }) => `${path} goes on`,
  "attempt-ended": ({ path, attempt }) => `${path} failed (attempt ${attempt}), to be tried again`,
  "block-sleeping": ({ path }) => `${path} sleeps`,
  "block-woken": ({ path }) => `${path} goes on`,
  "run-sleeping": ignoreEvent,
  "block-interrupted": ignoreEvent,
  "finally-started": ignoreEvent,
  "block-cancelling": ignoreEvent,
  "question-answered": ignoreEvent,
  "process-started": ignoreEvent,
  "file-changed": ignoreEvent,
  "observation-started": ignoreEvent,
  "changes-observed": ignoreEvent,
  "workflow-stopping": ignoreEvent,
  "rollback-started": ({ path }) => (path === "" ? "rolling back" : `${path} is rolled back`),
  "rollback-finished": ignoreEvent,
  "budget-exceeded": ignoreEvent,
  "budget-raised": ignoreEvent,
  "run-started": ignoreEvent,
  "workspace-made": ignoreEvent,
  "run-paused": ignoreEvent,
  "run-resumed": ignoreEvent,
  "run-cancelling": ignoreEvent,
  "run-finished": ignoreEvent,
};
