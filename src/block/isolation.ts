import type { Result } from "../util/result.ts";
import type { FileChange } from "./block-files.ts";
import type { Entrance, FileSystem } from "./ports.ts";

/** Gives commands a workspace of their own: they see the real one, and what they write lies beside it until it is applied. */
export interface Isolation {
  /** How it is made here; else what is missing. */
  find(): Promise<Result<string, string>>;
  /** The error says why not. */
  open(request: IsolationRequest): Promise<Result<IsolatedWorkspace, string>>;
  /** Removes what engines that have died have left of theirs. */
  sweep(): Promise<void>;
}

export interface IsolationRequest {
  /** A real path. */
  readonly workspace: string;
  /** Directories below it in which commands write to the real ones. */
  readonly shared: readonly string[];
}

export interface IsolatedWorkspace {
  /** With this a command runs in it. */
  readonly entrance: Entrance;
  /** Files as commands in it see them. */
  readonly files: Pick<FileSystem, "look" | "read" | "hash" | "list">;
  /**
   * Ends what still runs in it, and tells what is to be changed in the real workspace to make it the same. The error says what
   * stands against it: somebody else has changed the same meanwhile, or something can't be applied.
   */
  changes(): Promise<Result<readonly FileChange[], string>>;
  /** Drops it. */
  close(): Promise<void>;
}
