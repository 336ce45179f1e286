import type { Ports, RunLogs, Scratch } from "../block/ports.ts";
import type { ListOptions } from "../definition/library.ts";
import type { Journal } from "../journal/journal.ts";
import type { Owners } from "../journal/owner.ts";
import type { Secrets } from "../run/secrets.ts";
import type { KeyedLocks } from "../util/keyed-locks.ts";
import type { Result } from "../util/result.ts";
import type { Semaphore } from "../util/semaphore.ts";

/** Everything the use cases need from outside, handed over by the composition root. */
export interface Outside {
  readonly ports: Ports;
  /** Bounds the commands of all runs of this process together. */
  readonly processSlots: Semaphore;
  createScratch(workspace: string, runId: string, mayExist: boolean): Scratch;
  /** Opened on first use, which many commands have none for. Rejects with a `JournalError` when it can't be opened. */
  journal(): Promise<Journal>;
  readonly logs: RunLogs;
  /** For blocks to use, never to be seen. */
  readonly secrets: Secrets;
  /** For whoever must be alone with a file, over all runs of this process. */
  readonly locks: KeyedLocks;
  /** Where Frond keeps its own data; absolute. */
  readonly stateDirectory: string;
  readonly owners: Owners;
  readonly retention: Retention;
  listWorkflowFiles(directory: string, options: ListOptions): readonly string[] | undefined;
  readWorkflowText(file: string): ReadText;
  realDirectory(path: string): Result<string, string>;
  directoryInside(root: string, path: string): Result<string, string>;
  /** To whom a path belongs; nothing when there is none, or files have no owner. */
  ownerOf(path: string): { readonly user: number; readonly isOurs: boolean } | undefined;
  readonly trust: TrustStore;
  /** Ends what this process still runs and closes what it has open. */
  close(): Promise<void>;
  /** Tells the user what they should know although nothing has failed. */
  warn(message: string): void;
}

/** How long, and within how much space, runs that have ended are kept. */
export interface Retention {
  readonly maxAgeMs: number;
  /** Of the journal and all logs together. */
  readonly maxBytes: number;
}

export type ReadText =
  | { readonly text: string }
  | { readonly problem: "missing" | "directory" | "too-large" | "unreadable"; readonly detail: string };

/** What a person has looked at, by the real paths of projects. */
export interface TrustStore {
  find(project: string): TrustedProject | undefined;
  /** `texts` are those of the files, by hash. */
  save(project: string, trusted: TrustedProject, texts: ReadonlyMap<string, string>): Result<void, string>;
  remove(project: string): Result<void, string>;
  list(): readonly string[];
  /** The text that had this hash when it was trusted; nothing when it is not kept. */
  textOf(hash: string): string | undefined;
}

export interface TrustedProject {
  /** Users to whom its directories belonged. */
  readonly owners: readonly number[];
  /** Hashes of its files, by their paths below the project. */
  readonly files: Readonly<Record<string, string>>;
}
