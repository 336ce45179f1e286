import type { BlockType, OnInterrupted } from "../../src/block/define-block.ts";
import type { RunEvent } from "../../src/engine/events.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { resultOf } from "./effect.ts";
import { overrideJournal } from "./override-journal.ts";

/** Mistakes that an engine could make, each put around the real parts, so that it can be seen that the rig finds them. */
export const bugs: Readonly<Record<BugName, Bug>> = {
  "no-intent": { journal: recordIntentWithResult, isSilent: true },
  "early-completion": { effect: completeBeforeEffect },
  "early-acknowledgement": { journal: acknowledgeBeforeCommit },
  "stale-fence": { journal: acceptStaleFence },
  "wave-checkpoint": { journal: commitWaves },
  "lost-answer": { journal: settleWhenRead },
  "claim-anyway": { journal: claimAnyway },
  "forgotten-results": { journal: forgetResults },
  "always-rerun": { onInterrupted: "rerun" },
  "trusted-dead": { trustsTheDead: true },
  "early-finally": { journal: beginFinallyEarly, isSilent: true },
};

export type BugName =
  | "no-intent"
  | "early-completion"
  | "early-acknowledgement"
  | "stale-fence"
  | "wave-checkpoint"
  | "lost-answer"
  | "claim-anyway"
  | "forgotten-results"
  | "always-rerun"
  | "trusted-dead"
  | "early-finally";

export interface Bug {
  /** Acknowledges nothing, so that it is not found by that. */
  readonly isSilent?: boolean;
  /** Does this with every interrupted block, and tells nobody. */
  readonly onInterrupted?: OnInterrupted;
  /** Takes no process for dead. */
  readonly trustsTheDead?: boolean;
  journal?(journal: Journal): Journal;
  effect?(type: BlockType): BlockType;
}

export function isBugName(name: string): name is BugName {
  return Object.hasOwn(bugs, name);
}

/** What a block is about to do is written down only when it has done it. */
function recordIntentWithResult(journal: Journal): Journal {
  const intents = new Map<string, RunEvent>();
  const withoutIntents = (events: readonly RunEvent[]): RunEvent[] =>
    events.flatMap((event): RunEvent[] => {
      if (!("path" in event)) return [event];
      const { path } = event;
      const intent = intents.get(path);
      intents.delete(path);
      if (!isIntent(event)) return intent === undefined ? [event] : [intent, event];
      intents.set(path, event);
      return [];
    });
  return overrideJournal(journal, {
    create: ({ events: [started, ...more], ...creation }) =>
      journal.create({ ...creation, events: [started, ...withoutIntents(more)] }),
    async append(runId, fence, events) {
      const kept = withoutIntents(events);
      return kept.length === 0 || journal.append(runId, fence, kept);
    },
  });
}

function isIntent(event: RunEvent): boolean {
  return event.type === "block-resumed" || (event.type === "block-started" && event.inside.kind === "leaf");
}

/** What comes last in a workflow may begin before what it comes after is known to have ended. */
function beginFinallyEarly(journal: Journal): Journal {
  return overrideJournal(journal, {
    append(runId, fence, events) {
      const early = events.filter(({ type }) => type === "finally-started");
      return journal.append(runId, fence, [...early, ...events.filter(({ type }) => type !== "finally-started")]);
    },
  });
}

/** A block says that it is done, and then does it. */
function completeBeforeEffect(type: BlockType): BlockType {
  const { behaviour } = type;
  if (behaviour.kind !== "leaf") return type;
  return {
    ...type,
    behaviour: {
      ...behaviour,
      async run(input, context) {
        const doing = behaviour.run(input, context);
        if ((input.asks as number) > 0) return doing;
        doing.catch(() => {});
        return resultOf(input, null);
      },
    },
  };
}

function acknowledgeBeforeCommit(journal: Journal): Journal {
  return overrideJournal(journal, {
    async append(runId, fence, events) {
      setTimeout(() => void journal.append(runId, fence, events), lateMs);
      return true;
    },
  });
}

const lateMs = 3;

function acceptStaleFence(journal: Journal): Journal {
  const latest = async (runId: string): Promise<number> => (await journal.find(runId))?.fence ?? 0;
  return overrideJournal(journal, {
    append: async (runId, _fence, events) => journal.append(runId, await latest(runId), events),
    release: async (runId) => journal.release(runId, await latest(runId)),
  });
}

/** Nothing is durable until all that runs together has ended. */
function commitWaves(journal: Journal): Journal {
  let waiting: RunEvent[] = [];
  const running = new Set<string>();
  return overrideJournal(journal, {
    async append(runId, fence, events) {
      waiting.push(...events);
      for (const event of events) {
        if (!("path" in event)) continue;
        if (isIntent(event)) running.add(event.path);
        else running.delete(event.path);
      }
      if (running.size > 0) return true;
      const wave = waiting;
      waiting = [];
      return journal.append(runId, fence, wave);
    },
  });
}

/** An answer is taken out of the inbox before what follows from it is durable. */
function settleWhenRead(journal: Journal): Journal {
  /** Whoever has posted something looks whether it was kept, and has not taken it. */
  let looks = 0;
  return overrideJournal(journal, {
    async post(...request) {
      looks++;
      return journal.post(...request);
    },
    async requests(runId) {
      const posted = await journal.requests(runId);
      if (looks > 0) looks--;
      else await journal.settle(posted.map(({ id }) => id));
      return posted;
    },
    // What is settled in its time hides what was settled too early.
    async settle() {},
  });
}

/** Whoever comes second takes the run all the same. */
function claimAnyway(journal: Journal): Journal {
  return overrideJournal(journal, {
    claim: async (runId, _seenFence, owner) => journal.claim(runId, (await journal.find(runId))?.fence ?? 0, owner),
  });
}

/** Whoever goes on with a run knows what has ended, but not what came of it. */
function forgetResults(journal: Journal): Journal {
  return overrideJournal(journal, {
    async read(runId, after) {
      const events = await journal.read(runId, after);
      return events.map((event) => (event.type === "block-finished" ? { ...event, outputs: { value: "" } } : event));
    },
  });
}
