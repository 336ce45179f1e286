import type { JournalStorage } from "../journal.ts";
import { createMemoryJournal } from "../memory/memory-journal.ts";
import { examineJournal } from "./examine-journal.ts";
import { openSqliteJournal, openSqliteJournalToRead, type SqliteJournalOptions } from "./sqlite-journal.ts";

/** The journal in a state directory. */
export function createSqliteStorage(directory: string, options: SqliteJournalOptions = {}): JournalStorage {
  return {
    open: (asked) => openSqliteJournal(directory, { ...options, ...asked }),
    examine: () => examineJournal(directory),
  };
}

/** The same for a process that must leave no trace: where there is no journal, it sees an empty one. */
export function createReadingStorage(directory: string): JournalStorage {
  return {
    open: async () => (await openSqliteJournalToRead(directory)) ?? createMemoryJournal(),
    examine: () => examineJournal(directory),
  };
}
