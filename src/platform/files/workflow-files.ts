import { type BigIntStats, type Dirent, lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { hasCode, reasonFor } from "./file-problems.ts";

const mostBytes = 2_000_000;

export interface ListOptions {
  /** Whether the directory, or the one it lies in, may be a symbolic link. */
  readonly followLink: boolean;
  readonly limit: number;
  /** Whether files with tests are wanted too. */
  readonly withTests?: boolean;
}

/** Absolute paths of the workflow files below a directory, sorted; nothing when there is no such directory. */
export function listWorkflowFiles(
  directory: string,
  { followLink, limit, withTests = false }: ListOptions,
  entriesOf: ReadEntries = readEntries,
): readonly string[] | undefined {
  const top = entriesOf(directory);
  if (top === undefined || (!followLink && [directory, dirname(directory)].some(isLink))) return undefined;
  const files: string[] = [];
  const ahead = [...top];
  for (let entry = ahead.pop(); entry !== undefined && files.length < limit; entry = ahead.pop()) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && isWorkflowFile(entry.name, withTests)) files.push(path);
    // A directory that can't be read hides nothing but what is in it.
    if (entry.isDirectory()) for (const inner of entriesOf(path) ?? []) ahead.push(inner);
  }
  return files.sort();
}

/** What is in a directory; nothing when there is none, or it can't be read. */
export type ReadEntries = (directory: string) => readonly Dirent[] | undefined;

export function readEntries(directory: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function isWorkflowFile(name: string, withTests: boolean): boolean {
  return /\.ya?ml$/.test(name) && (withTests || !/\.test\.ya?ml$/.test(name));
}

/** Where a path leads through all links; nothing when there is nothing. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

export type ReadText =
  | { readonly text: string }
  | { readonly problem: "missing" | "directory" | "too-large" | "unreadable"; readonly detail: string };

/** Reads a file of which this is known, if it has to be read. */
type Reread = (stat: BigIntStats, read: () => { readonly text: string }) => { readonly text: string };

/** A workflow file's text; the size is looked at first, so that a wrong path to something huge costs nothing. */
export function readWorkflowText(file: string, reread: Reread = (_, read) => read()): ReadText {
  try {
    const stat = statSync(file, { bigint: true });
    const size = Number(stat.size);
    if (stat.isDirectory()) return { problem: "directory", detail: "it is a directory" };
    if (!stat.isFile()) return { problem: "unreadable", detail: "it is not a regular file" };
    if (size > mostBytes) return { problem: "too-large", detail: `${(size / 1_000_000).toFixed(1)} MB` };
    return reread(stat, () => ({ text: readFileSync(file, "utf8") }));
  } catch (error) {
    const problem = hasCode(error, "ENOENT", "ENOTDIR") ? "missing" : "unreadable";
    return { problem, detail: reasonFor(error) };
  }
}
