import type { RootedPath } from "../block/ports.ts";

/**
 * A change of files as it stands in a run's events: what lay there, and what is to lie there. It is recorded before it is made, except
 * for what commands have changed (`observed`, `ref`), which is found afterwards.
 */
export type RecordedChange =
  | {
      readonly kind: "write";
      readonly at: RootedPath;
      readonly before: StoredState;
      readonly after: { readonly mode: number; readonly sha256: string; readonly size: number; readonly kept?: true };
      /** The name, beside the file, under which it is written before it takes its place. */
      readonly temporary: string;
    }
  | { readonly kind: "remove"; readonly at: RootedPath; readonly before: StoredState }
  | { readonly kind: "make-directory"; readonly at: RootedPath; readonly mode: number }
  | { readonly kind: "make-link"; readonly at: RootedPath; readonly target: string }
  | {
      readonly kind: "rename";
      readonly from: RootedPath;
      readonly to: RootedPath;
      /** Of a directory, nothing of what is in it. */
      readonly moved: EntryState;
      readonly replaced: StoredState;
    }
  | ({ readonly kind: "set-mode"; readonly at: RootedPath; readonly before: number; readonly after: number } & (
      | { readonly entry: "directory" }
      /** Without a digest where it was not read. */
      | { readonly entry: "file"; readonly size: number; readonly sha256?: string }
    ))
  | { readonly kind: "observed"; readonly at: RootedPath; readonly before: StoredState; readonly after: EntryState }
  | MovedRef;

/** A ref of git that leads somewhere else. */
export interface MovedRef {
  readonly kind: "ref";
  /** The directory that holds the refs: `.git`, also for a worktree beside it. */
  readonly repository: RootedPath;
  /** As in `refs/heads/main`, or `HEAD`. */
  readonly name: string;
  /** The id of an object, or `ref: refs/heads/main`; null where it does not exist. */
  readonly before: string | null;
  readonly after: string | null;
}

/** What lay at a path, so that it can be put back. */
export type StoredState =
  | { readonly kind: "missing" }
  | {
      readonly kind: "file";
      readonly mode: number;
      readonly sha256: string;
      readonly size: number;
      /** The bytes are in the blobs; absent for a file that is too large to be kept, or holds a secret. */
      readonly kept?: true;
    }
  | { readonly kind: "directory"; readonly mode: number }
  | { readonly kind: "link"; readonly target: string };

/** What tells whether the same lies at a path. */
export type EntryState =
  | { readonly kind: "missing" }
  | {
      readonly kind: "file";
      readonly mode: number;
      /** Absent when only the mode counts. */
      readonly size?: number;
      /** Absent when it was not read: any bytes of this size will do. */
      readonly sha256?: string;
      /** The bytes are in the blobs. Tells nothing of what lies there. */
      readonly kept?: true;
    }
  /** Without a mode, any will do; without a digest of the names in it, any names. */
  | { readonly kind: "directory"; readonly mode?: number; readonly names?: string }
  | { readonly kind: "link"; readonly target: string };
