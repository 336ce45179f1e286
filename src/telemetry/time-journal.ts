import type { Journal } from "../journal/journal.ts";

/** The same journal, of whose appends is told how long they took, or that they failed. */
export function timeJournal(journal: Journal, took: (seconds: number) => void, failed: () => void): Journal {
  const append: Journal["append"] = async (...given) => {
    const from = performance.now();
    try {
      const isAppended = await journal.append(...given);
      took((performance.now() - from) / 1000);
      return isAppended;
    } catch (error) {
      failed();
      throw error;
    }
  };
  return new Proxy(journal, {
    get(target, name) {
      if (name === "append") return append;
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}
