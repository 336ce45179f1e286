import type { RerunRule } from "../block/block-files.ts";
import type { OnInterrupted, Question } from "../block/define-block.ts";
import type { ProcessIdentity } from "../block/ports.ts";
import type { SandboxLimits } from "../block/sandbox.ts";
import type { Cost, Spend } from "../block/spend.ts";
import type { WorkspaceSource } from "../block/workspaces.ts";
import type { RecordedChange } from "../changes/recorded-change.ts";
import type { Reach } from "../diagnostic/source.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import type { BudgetExceeded, BudgetRaised, RunBudget } from "./budget-events.ts";
import type { Ending, StopCause } from "./execution.ts";
import type { Inside } from "./inside.ts";
import type { RunQueue, WorkspaceMade } from "./place-events.ts";
import type { SeenEntry, WorkflowRemarks } from "./remarks.ts";
import type { BlockReused, ReuseRule } from "./reuse-events.ts";
import type {
  ChangesObserved,
  ObservationStarted,
  RollbackFinished,
  RollbackStarted,
  UndoneScope,
  WorkflowStopping,
} from "./undo-events.ts";

export type { LimitKind, RunBudget } from "./budget-events.ts";
export type { StopCause } from "./execution.ts";
export type { Inside, LoopElement } from "./inside.ts";
export type { RunQueue, WorkspaceMade } from "./place-events.ts";
export type { HandledFailure, SeenEntry, WorkflowRemarks } from "./remarks.ts";
export type { BlockOrigin, BlockReused, EndedAttempt, ReuseRule } from "./reuse-events.ts";
export type { NotCaptured, PendingEnd, RollbackFinished, RollbackResult, UndoneScope } from "./undo-events.ts";

/**
 * Everything that can happen in a run, as one closed union. State is a fold over these events and nothing else; every door
 * (terminal, JSON, and whatever comes) reads them and keeps no state of its own.
 *
 * `path` is a block's address from the root, such as `deploy/build` or `lint/2/check`. `at` is wall time for people; durations
 * are measured on a monotonic clock and carried in the event.
 */
export type RunEvent =
  | RunStarted
  | WorkspaceMade
  | BlockStarted
  | ProcessStarted
  | FileChanged
  | ObservationStarted
  | ChangesObserved
  | BlockInterrupted
  | AttemptEnded
  | BlockFinished
  | BlockSkipped
  | BlockReused
  | BlockPaused
  | QuestionAnswered
  | BlockResumed
  | BlockSleeping
  | BlockWoken
  | FinallyStarted
  | WorkflowStopping
  | RollbackStarted
  | RollbackFinished
  | BudgetExceeded
  | BudgetRaised
  | BlockCancelling
  | RunPaused
  | RunSleeping
  | RunResumed
  | RunCancelling
  | RunFinished;

/**
 * What a consumer of events makes of each, by its type. Every consumer is such a table, so that whoever adds a type of event is
 * told by the compiler of each place that has to know it.
 */
export type EventTable<More extends readonly unknown[], Result> = {
  readonly [Type in RunEvent["type"]]: (event: Extract<RunEvent, { readonly type: Type }>, ...more: More) => Result;
};

export function consumeEvent<More extends readonly unknown[], Result>(
  table: EventTable<More, Result>,
  event: RunEvent,
  ...more: More
): Result {
  const consume = table[event.type] as (event: RunEvent, ...more: More) => Result;
  return consume(event, ...more);
}

/** For events that mean nothing to a consumer. */
export function ignoreEvent(): undefined {
  return undefined;
}

export interface RunStarted {
  readonly type: "run-started";
  readonly at: string;
  readonly runId: string;
  readonly workflow: string;
  /** The key of its text, where that is not its name. */
  readonly key?: string;
  /** The file that it was read from, if it was one. */
  readonly file?: string;
  /** The version of the workflow language that the texts are written in. */
  readonly languageVersion: number;
  /** The texts of the workflow and of every child that is known, frozen, by key: the run never reads the files again. */
  readonly definitions: Readonly<Record<string, FrozenDefinition>>;
  readonly inputs: ValueMap;
  /** Names of those that nobody gave: they have their defaults. */
  readonly defaulted?: readonly string[];
  /** Where it works, or where it was started: see `workspaceFrom`. */
  readonly workspace: string;
  /** How a workspace of its own is made when a worker first takes it. */
  readonly workspaceFrom?: WorkspaceSource | "none";
  /** It is driven by workers that take it from here, never by the process that started it. */
  readonly queue?: RunQueue;
  /** The machine that has its files, of one that is driven where it was started, beside a journal that several machines share. */
  readonly host?: string;
  readonly maxParallel: number;
  readonly maxDepth: number;
  /** For every command of the run. */
  readonly sandbox?: SandboxLimits;
  /** Beside that of the workflow. */
  readonly budget?: RunBudget;
  /** What every command changes is looked for, so that it can be taken back. */
  readonly observe?: true;
  /** Who started it, for people: `terminal`, `command line`, `schedule '0 3 * * *'`, `mcp` and the client's name, ... */
  readonly startedBy?: string;
  /** The run that this one repeats. */
  readonly rerunOf?: string;
  /** The trace of that one, where it belongs to the trace of whoever started it. */
  readonly rerunTrace?: string;
  /** The span of whoever started it, as W3C Trace Context writes it. */
  readonly traceParent?: string;
  /** The run that this one takes back, or a part of it. */
  readonly undoOf?: UndoneScope;
  /** Results of that run are taken instead of running a block again, where they would be the same; else nothing of it is used. */
  readonly reuse?: ReuseRule;
}

export interface FrozenDefinition {
  readonly file: string;
  readonly text: string;
  /** Which files it can name by a path. */
  readonly reach?: Reach;
}

/** An attempt begins; committed before its effect does. A block that is tried again, or was interrupted, starts again. */
export interface BlockStarted {
  readonly type: "block-started";
  readonly at: string;
  readonly path: string;
  /** Never used twice for one block. */
  readonly attempt: number;
  readonly inputs: ValueMap;
  readonly idempotencyKey: string;
  /** Blocks beside this one without whose failed operation it would not have run. */
  readonly becauseOf: readonly string[];
  readonly inside: Inside;
  /** Of a leaf: the most that the attempt may cost, kept free in every budget around it until it ends. */
  readonly reserved?: Cost;
  /** In a run that reuses results: why there was none to reuse. A whole sentence, for people. */
  readonly notReused?: string;
}

/** A command of the block runs; told so that what is left of it can be found when its engine has died. */
export interface ProcessStarted {
  readonly type: "process-started";
  readonly at: string;
  readonly path: string;
  readonly process: ProcessIdentity;
}

/** The block is about to change files; committed, with what is replaced, before the first of them is changed. */
export interface FileChanged {
  readonly type: "file-changed";
  readonly at: string;
  readonly path: string;
  readonly attempt: number;
  /** In the order in which they are made. */
  readonly changes: readonly RecordedChange[];
  /** What the block ends with when all of them are found made. */
  readonly outputs: ValueMap;
  /** When it runs again after its engine has died, although it could be taken for done, or somebody be asked. */
  readonly rerun?: RerunRule;
}

/** The block was running when the engine that ran it died. */
export interface BlockInterrupted {
  readonly type: "block-interrupted";
  readonly at: string;
  readonly path: string;
  readonly attempt: number;
  /** What becomes of it; a question is asked by a `block-paused` that follows. `done`: its changes were found made. */
  readonly action: OnInterrupted | "done";
  /** Nobody knows what it has cost, so it is charged with what was reserved for it. */
  readonly spend?: Spend;
}

/** The block is to be tried again: this attempt is over, and all that is inside it with it. The last attempt ends with its block. */
export type AttemptEnded = Ending & {
  readonly type: "attempt-ended";
  readonly at: string;
  readonly path: string;
  readonly attempt: number;
  /** Absent for a loop. */
  readonly outputs?: ValueMap;
  readonly durationMs: number;
  /** What it has cost since its last question or sleep. Only of leaves: what holds others has cost what they have. */
  readonly spend?: Spend;
  /** When the next one begins. */
  readonly retryAt: string;
};

export type BlockFinished = Ending & {
  readonly type: "block-finished";
  readonly at: string;
  readonly path: string;
  /** Absent for a loop whose passes have all ended: its outputs are theirs. */
  readonly outputs?: ValueMap;
  readonly durationMs: number;
  /** For a nested workflow: what its result says beyond its outputs. */
  readonly remarks?: WorkflowRemarks;
  /** What the block saw of files, in order. */
  readonly seen?: readonly SeenEntry[];
  /** As of `AttemptEnded`. */
  readonly spend?: Spend;
};

export interface BlockSkipped {
  readonly type: "block-skipped";
  readonly at: string;
  readonly path: string;
  readonly reason: SkipReason;
}

export interface SkipReason {
  readonly kind: "dependency" | "condition" | "cancelled" | "loop-stopped" | "stopped";
  /** A whole sentence, for people. */
  readonly message: string;
}

export interface BlockPaused {
  readonly type: "block-paused";
  readonly at: string;
  readonly path: string;
  /** `pause_...`: what an answer names. */
  readonly questionId: string;
  readonly question: Question;
  /** The block's own question, or the engine's: what is to become of a block that was interrupted, or that no budget has room for. */
  readonly about: "block" | "interruption" | "budget";
  /** Of a question about a budget: the address of what has it. */
  readonly scope?: string;
  readonly durationMs: number;
  /** What its attempt has cost since the last question or sleep. */
  readonly spend?: Spend;
}

export interface QuestionAnswered {
  readonly type: "question-answered";
  readonly at: string;
  readonly path: string;
  readonly questionId: string;
  readonly answer: Value;
  /** Who answered: `terminal`, `model`, ... */
  readonly by: string;
}

/** Committed before the block goes on with its answer. */
export interface BlockResumed {
  readonly type: "block-resumed";
  readonly at: string;
  readonly path: string;
  readonly attempt: number;
  /** As of `BlockStarted`, without what the attempt has cost already. */
  readonly reserved?: Cost;
}

/** The block goes on at a time, and holds nothing until then. */
export interface BlockSleeping {
  readonly type: "block-sleeping";
  readonly at: string;
  readonly path: string;
  readonly until: string;
  /** Its own code asked for it, or it is a repeated block between two passes: then there is one more pass. */
  readonly about: "block" | "repeat";
  readonly durationMs: number;
  /** As of `BlockPaused`. */
  readonly spend?: Spend;
}

/** The time of a sleeping block has come. */
export interface BlockWoken {
  readonly type: "block-woken";
  readonly at: string;
  readonly path: string;
}

/** Everything else in a workflow has ended, with this result; its blocks under `finally` may begin. */
export type FinallyStarted = Ending & {
  readonly type: "finally-started";
  readonly at: string;
  readonly path: string;
};

/**
 * Something with blocks inside it is being ended early; nothing below it starts any more but what is under `finally`. Where that has
 * begun, it is what is being ended.
 */
export interface BlockCancelling {
  readonly type: "block-cancelling";
  readonly at: string;
  readonly path: string;
  readonly message: string;
  readonly cause: StopCause;
}

/** Nothing can go on without an answer, or before `wakeAt` if something sleeps as well. */
export interface RunPaused {
  readonly type: "run-paused";
  readonly at: string;
  /** What the run has cost so far, for lists. */
  readonly spend?: Spend;
  readonly wakeAt?: string;
}

/** Nothing can go on before a time, and nobody is asked anything. */
export interface RunSleeping {
  readonly type: "run-sleeping";
  readonly at: string;
  readonly spend?: Spend;
  readonly wakeAt: string;
}

export interface RunResumed {
  readonly type: "run-resumed";
  readonly at: string;
}

export interface RunCancelling {
  readonly type: "run-cancelling";
  readonly at: string;
  readonly message: string;
  /** `cancelled`: somebody asked for it. */
  readonly cause: StopCause;
  /** It was asked for again: what is under `finally` is ended as well. */
  readonly forced?: true;
}

export type RunFinished = Ending & {
  readonly type: "run-finished";
  readonly at: string;
  readonly outputs: ValueMap;
  readonly durationMs: number;
  readonly remarks: WorkflowRemarks;
  /** What all of it has cost, for lists. */
  readonly spend?: Spend;
};
