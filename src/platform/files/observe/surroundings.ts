import type { GitProgram } from "./git-program.ts";
import type { SecondThread } from "./second-thread.ts";
import type { WriteGlobs } from "./write-globs.ts";

/** What is looked at, and with what. */
export interface Surroundings {
  /** A real path. */
  readonly workspace: string;
  /** Paths below the workspace that are Frond's own: neither they nor what is in them is observed. */
  readonly own: readonly string[];
  /** Nothing where git is not installed: then nothing is ignored. */
  readonly git: GitProgram | undefined;
  /** Helps where there is much to look at; nothing where everything is done in one thread. */
  readonly second?: SecondThread;
  /** Looked at often: whoever asked may not want it any more. */
  throwIfAborted(): void;
}

/** The bytes that are kept, as they are reached from where the looking is done. */
export interface Keeper {
  /** Keeps files as they are now; or tells why they are not kept. */
  keepFiles(paths: readonly string[], lasting: boolean): Promise<readonly Kept[]>;
  keepBytes(bytes: Uint8Array, lasting: boolean): Promise<Kept>;
  /** Whether each is there, for the run that asks to use. */
  use(sha256s: readonly string[]): Promise<readonly boolean[]>;
  get(sha256: string): Promise<Uint8Array | undefined>;
}

/** With a digest alone, the bytes are known but not kept. */
export interface Kept {
  readonly sha256?: string;
  readonly size?: number;
  /** Why they are not. */
  readonly problem?: string;
}

/** Larger files are not kept. */
export const mostBytesKept = 50_000_000;

/** What git itself keeps, and no command's changes to it are told file by file. */
export const gitName = ".git";

/** Says what git ignores. Observed even where it hides itself, because it tells what else was hidden. */
export const rulesName = ".gitignore";

/** How the names in a directory are chosen: by what git ignores, by the globs alone because git ignores it, or all of them. */
export type Choice = "rules" | "globs" | "all";

/** How an entry is observed, if it is. */
export function chooseEntry(
  path: string,
  isDirectory: boolean,
  choice: Choice,
  isIgnored: boolean,
  globs: WriteGlobs,
): Choice | undefined {
  if (choice === "all") return "all";
  if (choice === "rules" && !isIgnored) return "rules";
  const fit = globs.fit(path);
  if (fit === "whole") return "all";
  return fit === "way" && isDirectory ? "globs" : undefined;
}
