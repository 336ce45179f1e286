import type { ValueMap } from "../expression/value.ts";
import type { FileProblem, FileSystem, RootedPath } from "./ports.ts";

/**
 * What a block may do with files. It reads as it likes; its changes are journaled, with what they replace, before the first of
 * them is made.
 */
export interface BlockFiles extends Pick<FileSystem, "look" | "read" | "list" | "hash"> {
  /**
   * Where a path leads that stands in a block's inputs: relative to the workspace, or absolute and inside it. Anything else
   * needs `unsafe`. Throws `BlockCannotRun` for a path that breaks the rules.
   */
  locate(path: string, unsafe: boolean): RootedPath;
  /** The same for a path that is to be changed: `.git`, `.frond` and Frond's own state are out of bounds, also with `unsafe`. */
  locateForChange(path: string, unsafe: boolean): RootedPath;
  /**
   * The SHA-256 of a file's bytes, for an output. Of a file that holds a secret it is withheld: who has the hash can try values
   * until one fits.
   */
  fingerprint(bytes: Uint8Array): string;
  /**
   * Makes the changes, in order, once they are journaled. Should the engine die meanwhile and the disk be found as it is after
   * all of them, the block is taken to have succeeded with these outputs; found as it was before, it runs again. Gives the first
   * problem.
   */
  change(changes: readonly FileChange[], outputs: ValueMap, options?: ChangeOptions): Promise<FileProblem | undefined>;
  /** Bytes that were kept so that changes can be taken back, by their SHA-256. Nothing where they are not there, or not whole. */
  recall(sha256: string): Promise<Uint8Array | undefined>;
  /** Makes an empty directory for a program to fill, and removes what a program has filled: neither is journaled. */
  makeEmpty(at: RootedPath): Promise<FileProblem | undefined>;
  removeEmpty(at: RootedPath): Promise<FileProblem | undefined>;
  removeTree(at: RootedPath): Promise<FileProblem | undefined>;
  /** Waits for everybody else in this process who does something with the same place. */
  exclusively<T>(at: RootedPath, action: () => Promise<T>): Promise<T>;
}

export interface ChangeOptions {
  /** For a block that looks at what is left to do: without it somebody is asked where nobody can tell how far it got. */
  readonly rerun?: RerunRule;
  /** Whether the changes after one that can't be made are made all the same. */
  readonly goOn?: boolean;
  /** Called when one of them has been made, or could not be. */
  onMade?(): void;
}

/** When a block runs again whose engine died: also if nobody can tell how far it got, or even if all its changes are found made. */
export type RerunRule = "unclear" | "always";

/** Of many files that are written at once, so that they are not all in memory: given when they are needed, the same every time. */
export type WrittenBytes = Uint8Array | (() => Promise<Uint8Array>);

export type FileChange =
  /** Without a mode a file keeps its own, and a new one gets what the user's umask leaves of 0666. */
  | { readonly kind: "write"; readonly at: RootedPath; readonly bytes: WrittenBytes; readonly mode?: number }
  | { readonly kind: "remove"; readonly at: RootedPath }
  /** Without a mode it gets what the user's umask leaves of 0777. */
  | { readonly kind: "make-directory"; readonly at: RootedPath; readonly mode?: number }
  | { readonly kind: "make-link"; readonly at: RootedPath; readonly target: string }
  | { readonly kind: "rename"; readonly from: RootedPath; readonly to: RootedPath }
  /** Of a file or a directory. */
  | { readonly kind: "set-mode"; readonly at: RootedPath; readonly mode: number }
  /** A ref of git, which the block moves itself by the means of git, after everything else: only journaled here. */
  | {
      readonly kind: "ref";
      readonly repository: RootedPath;
      readonly name: string;
      readonly before: string | null;
      readonly after: string | null;
    };
