import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

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
