import type { Result } from "../util/result.ts";
import type { RecordedChange, StoredState } from "./recorded-change.ts";

/**
 * Finds out what a command did to the workspace, by looking at it before and after: bytes, modes, kinds, link targets, existence, empty
 * directories, and where the refs of git repositories lead. What git ignores is left out unless it is asked for, and so is what is in
 * `.git`.
 */
export interface Observer {
  /** Looks at the workspace before a command runs. What it was like, and the bytes of it, are durable when this resolves. */
  begin(request: BeginRequest): Promise<Result<Observation, string>>;
  /** What is different now, also in another process than the one that looked before: it needs the snapshot alone. */
  compare(snapshot: string, request: ObserverRequest): Promise<Result<ObservedChanges, string>>;
  /** What lay at paths below the workspace then. Nothing of what is not observed, or can't be put back. */
  recall(
    snapshot: string,
    paths: readonly string[],
    request: ObserverRequest,
  ): Promise<readonly (StoredState | undefined)[]>;
}

export interface ObserverRequest {
  readonly runId: string;
  /** A real path. */
  readonly workspace: string;
  /** It rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Whether a secret is among the bytes, which are kept nowhere then. Absent where there are no secrets. */
  holdsSecret?(bytes: Uint8Array): boolean;
}

export interface BeginRequest extends ObserverRequest {
  /** Patterns below the workspace that are observed although git ignores them. */
  readonly writes: readonly string[];
}

export interface Observation {
  /** SHA-256 of what tells what the workspace was like; it is among the blobs. */
  readonly snapshot: string;
  readonly notCaptured: readonly NotObserved[];
}

export interface ObservedChanges {
  /** Of the kinds `observed` and `ref`: by path, then refs by name. */
  readonly changes: readonly RecordedChange[];
  readonly notCaptured: readonly NotObserved[];
}

/** What can't be taken back, although it may have been changed. */
export interface NotObserved {
  /** Relative to the workspace. */
  readonly path: string;
  readonly why: string;
}
