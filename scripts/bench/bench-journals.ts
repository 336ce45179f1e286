import type { Journal } from "../../src/journal/journal.ts";

/** Takes events and keeps nothing: what a run costs without durability. */
export const noJournal: Journal = {
  create: async () => ({ kind: "created", fence: 1 }),
  claim: async () => undefined,
  append: async () => true,
  holds: async () => true,
  heartbeat: async () => {},
  release: async () => "released",
  abandon: async () => {},
  read: async () => [],
  find: async () => undefined,
  sequences: async () => new Map(),
  list: async () => [],
  post: async () => false,
  requests: async () => [],
  settle: async () => {},
  hide: async () => {},
  delete: async () => false,
  housekeep: async () => {},
  usage: async () => ({ bytes: 0, housekeptAt: undefined }),
  subscribe: () => () => {},
  close: async () => {},
};

/** The same journal without group commit: every event is a transaction of its own. */
export function oneCommitPerEvent(journal: Journal): Journal {
  return new Proxy(journal, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (name !== "append") return typeof value === "function" ? value.bind(target) : value;
      const append: Journal["append"] = async (runId, fence, events) => {
        for (const event of events) if (!(await target.append(runId, fence, [event]))) return false;
        return true;
      };
      return append;
    },
  });
}

export interface RecordedAmount {
  commits: number;
  events: number;
  bytes: number;
}

/** Keeps nothing, and counts what a run records after its beginning. */
export function countingJournal(amount: RecordedAmount): Journal {
  return {
    ...noJournal,
    async append(_runId, _fence, events) {
      amount.commits++;
      amount.events += events.length;
      // Times differ from run to run.
      amount.bytes += JSON.stringify(events, (key, value) => (key === "durationMs" ? 0 : value)).length;
      return true;
    },
  };
}
