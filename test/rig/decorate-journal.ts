import type { Journal } from "../../src/journal/journal.ts";

export interface JournalCall {
  readonly name: keyof Journal;
  readonly given: readonly unknown[];
  perform(): unknown;
}

/** The same journal, but what becomes of each call to it is decided by the test. */
export function decorateJournal(journal: Journal, answer: (call: JournalCall) => unknown): Journal {
  return new Proxy(journal, {
    get(_, key) {
      const name = key as keyof Journal;
      const method = journal[name] as ((...given: unknown[]) => unknown) | undefined;
      if (typeof method !== "function") return method;
      return (...given: unknown[]) => answer({ name, given, perform: () => method.apply(journal, given) });
    },
  });
}
