import type { Question } from "../block/define-block.ts";
import type { RunEvent, RunFinished, RunQueue, RunStarted } from "../engine/events.ts";
import type { Value } from "../expression/value.ts";
import type { Result } from "../util/result.ts";
import type { Lease, Owner } from "./owner.ts";

/**
 * Events made durable, for any number of processes at once.
 *
 * Invariant: the events of a run are numbered from 1 without a gap, in the order in which they were appended. Only who holds the
 * run's latest fence can append. Once a promise given here resolves, what it stands for survives kill -9 and power loss, and
 * nobody reads an event, or a summary that follows from it, before that. A call either happens as a whole or not at all.
 *
 * What the outside keeps it from doing (disk full, database broken) rejects with a `JournalError`; a call that was rejected has
 * changed nothing and may be repeated.
 */
export interface Journal {
  /** Makes a run under fence 1, held by its owner if it has one, unless the idempotency key has a run already. */
  create(creation: RunCreation): Promise<Created>;
  /** Takes a run that was last held under the fence seen. Nothing when somebody else was faster, or the run is gone. */
  claim(runId: string, seenFence: number, owner: Owner): Promise<number | undefined>;
  /**
   * False, and nothing is written, when the fence is not the latest one. With `release`, the run is released in the same commit; but
   * one of which something has been asked is only appended to.
   */
  append(runId: string, fence: number, events: readonly RunEvent[], then?: "release"): Promise<Appended>;
  /** Whether the fence is still the latest one. */
  holds(runId: string, fence: number): Promise<boolean>;
  /** Says that the holder of these runs is alive. A run whose fence is old is left as it is. */
  heartbeat(held: ReadonlyMap<string, number>): Promise<void>;
  /** Gives a run back; but whoever has asked something of it is to be heard first. */
  release(runId: string, fence: number): Promise<"released" | "requests-waiting" | "fenced">;
  /** Gives a run back that can't be driven here any more; what has been asked of it waits for whoever takes it next. */
  abandon(runId: string, fence: number): Promise<void>;
  /** The events after a number, the first one by default. */
  read(runId: string, after?: number): Promise<readonly RunEvent[]>;
  find(runId: string): Promise<RunSummary | undefined>;
  /** The number of the latest event of every run, newest run first: cheap, for those who look again and again. */
  sequences(): Promise<ReadonlyMap<string, number>>;
  /** Newest first. */
  list(query: RunQuery): Promise<readonly RunSummary[]>;
  /**
   * Leaves a request for whoever holds the run under the fence seen. False when nobody does any more. A second answer to the same
   * question, or a second cancel, is no change.
   */
  post(runId: string, seenFence: number, request: RunRequest): Promise<boolean>;
  /** What has been asked of a run, oldest first. */
  requests(runId: string): Promise<readonly PostedRequest[]>;
  /** Takes requests away that have been dealt with. */
  settle(ids: readonly number[]): Promise<void>;
  /** Leaves a checkpoint out of lists from now on. */
  hide(runId: string, checkpointId: string): Promise<void>;
  /** Removes a run that has ended, with all that only it uses. False when there is none or it has not ended. */
  delete(runId: string): Promise<boolean>;
  /** Gives back the space that nothing uses any more, and remembers when. */
  housekeep(): Promise<void>;
  usage(): Promise<JournalUsage>;
  /** Calls when something may have changed, by whichever process; returns how to stop. */
  subscribe(listener: () => void): () => void;
  close(): Promise<void>;
}

/** Of a run that has just been made. */
export const firstFence = 1;

export interface RunCreation {
  /** Begins with `run-started`, followed by all that happens before the run's first commit. */
  readonly events: readonly [RunStarted, ...RunEvent[]];
  /** Without one it waits for somebody to claim it. */
  readonly owner?: Owner;
  readonly idempotency?: Idempotency;
}

/** The same key in the same workspace for the same workflow is the same run. */
export interface Idempotency {
  readonly key: string;
  /** Of everything that decides what the run does; the same key with another one is refused. */
  readonly fingerprint: string;
}

export type Created =
  | { readonly kind: "created"; readonly fence: number }
  | { readonly kind: "exists"; readonly runId: string; readonly sameFingerprint: boolean };

/** `released`: appended, and nobody holds the run any more. */
export type Appended = boolean | "released";

export type StatusWord = "running" | "paused" | "sleeping" | "success" | "failure";

/** What lists show of a run; it follows from the run's events and is written with them. */
export interface RunSummary {
  readonly runId: string;
  readonly workflow: string;
  readonly workspace: string;
  /** `running` says that it has neither ended nor come to rest; whether somebody drives it, the lease tells. */
  readonly status: StatusWord;
  /** Somebody asked for its end. */
  readonly cancelled: boolean;
  /** Why it failed. */
  readonly error: string | null;
  /** How it went well, in a few words; nothing where there is nothing short to tell, or the run is older than that is recorded. */
  readonly result: string | null;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly finishedAt: string | null;
  readonly durationMs: number | null;
  /** When it can go on by itself, of one that sleeps, or is paused while something in it sleeps. */
  readonly wakeAt: string | null;
  /** What it had cost when it ended, or last came to rest; nothing if nothing told any cost. */
  readonly spend: NonNullable<RunFinished["spend"]> | null;
  /** What tells it from others of its workflow, in a few words; of a run that takes back a part of another: which part. */
  readonly label: string | null;
  /** Who started it; nothing of a run that is older than that is recorded. */
  readonly startedBy: string | null;
  /** The run whose results it reuses. */
  readonly rerunOf: string | null;
  /** The run that it takes back, or a part of it. */
  readonly undoOf: string | null;
  /** Which workers may take it; nothing when whoever started it drives it. */
  readonly queue: RunQueue | null;
  /** The machine that has its workspace; nothing where any can have it, or only one has the journal. */
  readonly host: string | null;
  /** The number of its latest event. */
  readonly sequence: number;
  readonly fence: number;
  /** Absent when nobody holds it. */
  readonly lease?: Lease;
  /** Questions that wait for an answer, oldest first. */
  readonly questions: readonly QuestionSummary[];
  /** Checkpoints that are left out of lists. */
  readonly hidden: readonly string[];
  /** What of its questions can't be read, as a sentence; those are not among the questions ones. */
  readonly damage?: string;
}

export interface QuestionSummary {
  readonly id: string;
  readonly path: string;
  readonly askedAt: string;
  readonly question: Question;
}

export interface RunQuery {
  readonly limit?: number;
  /** Only those that began before this one, for the next page. */
  readonly before?: string;
  readonly workflow?: string;
  readonly statuses?: readonly StatusWord[];
  /** Only those that take back this run, or a part of it. */
  readonly undoOf?: string;
  /** Only those that could go on by themselves before this time. */
  readonly dueBefore?: string;
}

export type RunRequest =
  | { readonly kind: "answer"; readonly questionId: string; readonly answer: Value; readonly by: string }
  | { readonly kind: "cancel"; readonly message: string };

export interface PostedRequest {
  readonly id: number;
  readonly request: RunRequest;
}

export interface JournalUsage {
  /** Bytes that hold something. */
  readonly bytes: number;
  /** When `housekeep` last ended, in milliseconds since 1970; nothing when it never did. */
  readonly housekeptAt: number | undefined;
}

/** Where a journal is kept, or will be kept. */
export interface JournalStorage {
  /** Opens the journal; makes it if there is none. Rejects with a `JournalError` when it can't be used. */
  open(options?: OpenJournalOptions): Promise<Journal>;
  /** Looks at the storage, and changes nothing. Not a method of `Journal`, because it has to say why one can't be opened. */
  examine(): Promise<JournalExamination>;
}

export interface OpenJournalOptions {
  /** Called when the journal has been removed or replaced: what was opened is of no use any more, and another can be opened. */
  readonly onRemoved?: () => void;
}

export interface JournalExamination {
  /** The program that keeps the journal, and where that comes from. */
  readonly program: Result<{ readonly name: string; readonly version: string; readonly from: string }, string>;
  readonly access: Result<"absent" | "writable" | "read-only", string>;
  /** Bytes that a sound journal takes up; nothing when there is none yet. */
  readonly bytes: Result<number | undefined, string>;
  /** Of one that is kept on a server which can be reached. */
  readonly server?: ServerExamination;
}

export interface ServerExamination {
  /** What messages call it: without the password. */
  readonly name: string;
  /** Versions of its tables: that which it has, 0 for none, and that which this program makes. */
  readonly schema: { readonly found: number; readonly known: number };
  readonly roundTripMs: number;
  /** How far the clock of this machine is ahead of that of the server. */
  readonly clockAheadMs: number;
  /** By the limit that is closest: of all who use the server, or of those of this database or user. */
  readonly connections: { readonly used: number; readonly most: number; readonly of: "server" | "database" | "user" };
  /** Processes that take runs, as far as they are connected, and how long each has asked nothing. */
  readonly workers: readonly { readonly name: string; readonly silentMs: number }[];
}

/** The outside does not let the journal do what it should. The message is one line for the user: what, where, what to do. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  readonly code: JournalErrorCode;

  constructor(code: JournalErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** `damaged-run`: only what is stored of one run is damaged. */
export type JournalErrorCode =
  | "full"
  | "read-only"
  | "corrupt"
  | "damaged-run"
  | "newer"
  | "busy"
  | "removed"
  | "unusable";
