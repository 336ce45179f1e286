import type { Scratch, ScratchOrigin } from "../block/ports.ts";
import type { Workspaces } from "../block/workspaces.ts";
import type { EnginePlatform } from "../engine/runner-options.ts";
import type { Journal } from "../journal/journal.ts";
import type { Owners } from "../journal/owner.ts";
import type { WorkflowFiles } from "../library/workflow-files.ts";
import type { Dispatch } from "./dispatch.ts";
import type { RunObserver } from "./run-observer.ts";

/** Everything that Frond needs from the system it runs on, as one object. Each layer declares the part of it that it uses. */
export interface Platform extends EnginePlatform, WorkflowFiles {
  createScratch(workspace: string, runId: string, origin: ScratchOrigin): Scratch;
  /** Opened on first use, which many commands have none for. Rejects with a `JournalError` when it can't be opened. */
  journal(): Promise<Journal>;
  /** How many files below a directory have changed since a time, but for some; beyond a few thousand nobody counts. */
  countChangedFiles(directory: string, since: Date, except: readonly string[]): Promise<number>;
  /** Where Frond keeps its own data; absolute. */
  readonly stateDirectory: string;
  readonly owners: Owners;
  /** The name of this machine among those that share a journal. */
  readonly host: string;
  readonly workspaces: Workspaces;
  /** Hands runs to workers; absent where every run is driven by the process that starts it. */
  readonly dispatch?: Dispatch;
  /** Hear of every run that this process drives. */
  readonly observers?: readonly RunObserver[];
  readonly retention: Retention;
  /** Ends what this process still runs and closes what it has open. */
  close(): Promise<void>;
}

/** How long, and within how much space, runs that have ended are kept. */
export interface Retention {
  readonly maxAgeMs: number;
  /** Of the journal, all logs and what is kept for undo together. */
  readonly maxBytes: number;
}
