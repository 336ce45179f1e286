import type { RunEvent } from "../../src/engine/events.ts";
import type { Journal, RunSummary } from "../../src/journal/journal.ts";
import { digestOf } from "./digest.ts";
import { overrideJournal } from "./override-journal.ts";
import { type EventName, say } from "./protocol.ts";

export interface WatchedJournal {
  readonly journal: Journal;
  /** To be told of events as whoever drives the run is: right after the call that made them durable. */
  acknowledge(events: readonly RunEvent[]): void;
}

/** Says what this process asks of the journal for its one run, and what number each event has by what the journal answers. */
export function watchJournal(inner: Journal, beforeClaim: () => Promise<void>): WatchedJournal {
  let sequence = 0;
  let claimed: number | undefined;
  let found: RunSummary | undefined;
  let lastRead = 0;
  const sayHeld = (runId: string, fence: number, upTo: number): void => {
    sequence = upTo;
    claimed = undefined;
    say({ say: "held", runId, fence, sequence });
  };
  const journal = overrideJournal(inner, {
    async create(creation) {
      say({ say: "try", from: 1, events: creation.events.map(nameOf) });
      const created = await inner.create(creation);
      if (created.kind === "exists") return created;
      sequence = creation.events.length;
      // What it begins with is its own doing.
      say({ say: "held", runId: creation.events[0].runId, fence: created.fence, sequence: 1 });
      return created;
    },
    async claim(runId, seenFence, owner) {
      await beforeClaim();
      const fence = await inner.claim(runId, seenFence, owner);
      claimed = fence;
      // Whoever takes a run that nobody held has read all of it before.
      const isRead = found?.runId === runId && found.lease === undefined && found.sequence === lastRead;
      if (fence !== undefined && isRead) sayHeld(runId, fence, lastRead);
      return fence;
    },
    async find(runId) {
      found = await inner.find(runId);
      return found;
    },
    async read(runId, after = 0) {
      const events = await inner.read(runId, after);
      lastRead = after + events.length;
      if (claimed !== undefined) sayHeld(runId, claimed, lastRead);
      return events;
    },
    async append(runId, fence, events, then) {
      say({ say: "try", from: sequence + 1, events: events.map(nameOf) });
      const appended = await inner.append(runId, fence, events, then);
      if (appended !== false) sequence += events.length;
      return appended;
    },
  });
  return {
    journal,
    acknowledge(events) {
      say({ say: "acknowledged", from: sequence - events.length + 1, digests: events.map(digestOf) });
    },
  };
}

function nameOf(event: RunEvent): EventName {
  return [event.type, "path" in event ? event.path : ""];
}
