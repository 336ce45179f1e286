import type { Journal } from "../../src/journal/journal.ts";

/** The same journal but for some of its calls. */
export function overrideJournal(journal: Journal, calls: Partial<Journal>): Journal {
  return new Proxy(journal, {
    get(target, name) {
      const call: unknown = Reflect.get(calls, name) ?? Reflect.get(target, name);
      return typeof call === "function" ? call.bind(target) : call;
    },
  });
}
