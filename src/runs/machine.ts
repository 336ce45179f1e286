import type { JournalExamination } from "../journal/journal.ts";
import type { Result } from "../util/result.ts";

/** What only a few commands want of the machine: a diagnosis, and schedules. */
export interface Machine {
  readonly nodeVersion: string;
  /** Whether the code that was compiled when Frond was built can't be used. */
  refusesCodeCache(): boolean;
  /** The flags that Node was started with beside those of the command line. */
  readonly nodeOptions: string;
  examineJournal(): Promise<JournalExamination>;
  examineStateDirectory(): StateDirectoryExamination;
  /** What hands runs to workers, by name and version; else what is missing and how to get it. */
  examineDispatch(): Result<string, string>;
  /** Absolute path of what makes sandboxes; else what is missing and how to get it. */
  findSandbox(): Promise<Result<string, string>>;
  /** How workspaces of their own are made for commands; else what is missing. */
  findIsolation(): Promise<Result<string, string>>;
  /** Absolute path of the browser that blocks drive; else what is missing and how to get it. */
  findBrowser(): Result<string, string>;
  /** Whether processes can be found that have left their group. */
  hasProcessTable(): boolean;
  readonly crontab: Crontab;
}

/** What cron runs for the user, as bytes: one character each, for lines of others may be in any encoding. */
export interface Crontab {
  /** Empty when there is none yet. */
  read(): Promise<Result<string, CrontabProblem>>;
  write(text: string): Promise<Result<void, CrontabProblem>>;
}

export type CrontabProblem =
  | { readonly kind: "no-program" }
  /** With what the program said. */
  | { readonly kind: "refused"; readonly message: string };

export interface StateDirectoryExamination {
  readonly access: Result<"absent" | "writable" | "read-only", string>;
  /** On its disk; nothing where that is not counted. */
  readonly freeBytes: number | undefined;
}
