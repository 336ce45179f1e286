import type { JournalExamination } from "../journal/journal.ts";
import type { Result } from "../util/result.ts";

/** What only a diagnosis wants to know of the machine. */
export interface Machine {
  readonly nodeVersion: string;
  examineJournal(): Promise<JournalExamination>;
  examineStateDirectory(): StateDirectoryExamination;
  /** Absolute path of what makes sandboxes; else what is missing and how to get it. */
  findSandbox(): Promise<Result<string, string>>;
  /** Whether processes can be found that have left their group. */
  hasProcessTable(): boolean;
}

export interface StateDirectoryExamination {
  readonly access: Result<"absent" | "writable" | "read-only", string>;
  /** On its disk; nothing where that is not counted. */
  readonly freeBytes: number | undefined;
}
