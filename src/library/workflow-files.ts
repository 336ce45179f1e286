import type { Result } from "../util/result.ts";
import type { ListOptions } from "./library.ts";

/** The part of the platform that the library uses: files of workflows, and which of them a person has trusted. */
export interface WorkflowFiles {
  listWorkflowFiles(directory: string, options: ListOptions): readonly string[] | undefined;
  readWorkflowText(file: string): ReadText;
  /** Where a path leads through all links; nothing when there is nothing. */
  realPath(path: string): string | undefined;
  realDirectory(path: string): Result<string, string>;
  /** To whom a path belongs; nothing when there is none, or files have no owner. */
  ownerOf(path: string): { readonly user: number; readonly isOurs: boolean } | undefined;
  readonly trust: TrustStore;
}

export type ReadText =
  | { readonly text: string }
  | { readonly problem: "missing" | "directory" | "too-large" | "unreadable"; readonly detail: string };

/** What a person has looked at, by the real paths of projects. */
export interface TrustStore {
  find(project: string): TrustedProject | undefined;
  /** `texts` are those of the files, by hash. */
  save(project: string, trusted: TrustedProject, texts: ReadonlyMap<string, string>): Result<void, string>;
  /** The same on top of what is on record at that moment; nothing leaves it as it is. */
  update(
    project: string,
    change: (known: TrustedProject | undefined) => TrustedProject | undefined,
    texts: ReadonlyMap<string, string>,
  ): Result<void, string>;
  /** Does something that ends with a change of this, alone among all processes that share what is on record. */
  alone<T>(action: () => Promise<T>): Promise<Result<T, string>>;
  remove(project: string): Result<void, string>;
  list(): readonly string[];
  /** The text that had this hash when it was trusted; nothing when it is not kept. */
  textOf(hash: string): string | undefined;
}

export interface TrustedProject {
  /** Users to whom its directories belonged. */
  readonly owners: readonly number[];
  /** Hashes of its files, by their paths below the project. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * What lists show of files that were found sound, kept between processes. Whether a file is trusted and what it is called never comes
 * from here, and neither does when it is started.
 */
export interface HeadStore {
  /** By the keys of files; nothing where nothing that can be used is kept of the directory. */
  read(directory: string): ReadonlyMap<string, KeptHead>;
  /** Keeps these instead. Where that fails they are read again the next time. */
  write(directory: string, heads: ReadonlyMap<string, KeptHead>): void;
}

export interface KeptHead {
  readonly description: string;
  readonly tags: readonly string[];
}
