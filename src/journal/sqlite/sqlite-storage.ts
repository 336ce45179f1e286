import type { JournalStorage } from "../journal.ts";
import { examineJournal } from "./examine-journal.ts";
import { openSqliteJournal, type SqliteJournalOptions } from "./sqlite-journal.ts";

/** The journal in a state directory. */
export function createSqliteStorage(directory: string, options: SqliteJournalOptions = {}): JournalStorage {
  return {
    open: (asked) => openSqliteJournal(directory, { ...options, ...asked }),
    examine: () => examineJournal(directory),
  };
}
