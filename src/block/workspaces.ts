import type { Result } from "../util/result.ts";

/** Where the files of a fresh workspace come from. */
export interface WorkspaceSource {
  /** What `git fetch` takes: an address, or an absolute path. */
  readonly git: string;
  /** A branch, tag or commit; else what the repository has checked out. */
  readonly ref?: string;
}

export interface MadeWorkspace {
  /** A real path. */
  readonly workspace: string;
  /** The commit that was checked out; absent of an empty one. */
  readonly commit?: string;
}

/** Directories on this machine, each made for one run. */
export interface Workspaces {
  /** A fresh one, whatever an attempt before has left; or why git can't make it, as a sentence. Rejects when the signal comes, or where this machine can't. */
  make(source: WorkspaceSource | "none", runId: string, signal: AbortSignal): Promise<Result<MadeWorkspace, string>>;
  /** By the ids of the runs that have one here, or the beginning of one, how many bytes it takes up. */
  sizes(): Promise<ReadonlyMap<string, number>>;
  /** The run that a directory was made for, if it is one of these. */
  ownerOf(workspace: string): string | undefined;
  remove(runId: string): Promise<void>;
  /** Where they are made; or why none can be made there, as a sentence. Makes nothing. */
  examine(): Result<string, string>;
}
