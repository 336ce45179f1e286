import type { RootedPath } from "../block/ports.ts";
import type { EntryState } from "../changes/recorded-change.ts";

/** What lay at a path when a block looked. */
export interface SeenEntry {
  readonly at: RootedPath;
  readonly state: EntryState;
  /** The block has made it so. */
  readonly made?: true;
}

export interface WorkflowRemarks {
  /** Blocks that failed and were allowed to, or that others stood in for. */
  readonly handledFailures: readonly HandledFailure[];
  /** Outputs that could not be resolved and are null. */
  readonly outputErrors: Readonly<Record<string, string>>;
}

export interface HandledFailure {
  readonly block: string;
  /** Empty: it was allowed to fail. */
  readonly by: readonly string[];
  readonly message: string;
}
