import type { Spend } from "../block/spend.ts";
import type { RecordedChange } from "../changes/recorded-change.ts";
import type { ValueMap } from "../expression/value.ts";
import type { Ending } from "./execution.ts";
import type { SeenEntry, WorkflowRemarks } from "./remarks.ts";

/** What happens so that what a run did can be taken back, and while the engine itself does so: a part of `RunEvent`. */

/** A command of the block is about to run, and the workspace was looked at before; committed before the command starts. */
export interface ObservationStarted {
  readonly type: "observation-started";
  readonly at: string;
  readonly path: string;
  readonly attempt: number;
  /** SHA-256 of what was seen, which is kept with the bytes that undo needs. */
  readonly snapshot: string;
  /** What could not be taken back if the command changed it. */
  readonly notCaptured?: readonly NotCaptured[];
}

/** What was different in the workspace when the command had ended. */
export interface ChangesObserved {
  readonly type: "changes-observed";
  readonly at: string;
  readonly path: string;
  readonly attempt: number;
  readonly changes: readonly RecordedChange[];
  /** What could not be looked at, or not be kept. */
  readonly notCaptured: readonly NotCaptured[];
}

export interface NotCaptured {
  /** Relative to the workspace. */
  readonly path: string;
  readonly why: string;
}

/** A block has failed and says `on_failure: stop` or `rollback`: nothing else in the workflow or group around it starts any more. */
export interface WorkflowStopping {
  readonly type: "workflow-stopping";
  readonly at: string;
  /** Of what holds the block. */
  readonly path: string;
  /** Of the block. */
  readonly because: string;
  /** What still runs is ended as well. */
  readonly rollback: boolean;
}

/** Part of a run: a block, or one attempt at it, with all that is inside. The root has no path. */
export interface UndoneScope {
  readonly runId: string;
  readonly path?: string;
  readonly attempt?: number;
  /** Only what happened after the end of the block at this address. */
  readonly to?: string;
  /** Only what some blocks did that a rerun runs again. */
  readonly forRerun?: true;
}

/** What the node did is about to be taken back, by a run of its own; then the node ends. Nothing of it runs any more. */
export interface RollbackStarted {
  readonly type: "rollback-started";
  readonly at: string;
  readonly path: string;
  readonly attempt: number;
  readonly undoRun: string;
  /** How the node ends afterwards. */
  readonly end: PendingEnd;
}

/** An ending that is recorded only when what the node did has been taken back. */
export interface PendingEnd {
  readonly ending: Ending;
  readonly outputs?: ValueMap;
  readonly durationMs: number;
  readonly remarks?: WorkflowRemarks;
  readonly seen?: readonly SeenEntry[];
  readonly spend?: Spend;
  /** Of an attempt after which there is another. */
  readonly retryDelayMs?: number;
}

export interface RollbackFinished extends RollbackResult {
  readonly type: "rollback-finished";
  readonly at: string;
  readonly path: string;
}

export interface RollbackResult {
  /** `partial`: not everything could be taken back; it can be tried again. */
  readonly state: "complete" | "partial";
  /** What stayed as it is, and why. */
  readonly conflicts: readonly NotCaptured[];
  /** How many paths are as before again. */
  readonly restored?: number;
}
