import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

/** Others have what is not the user's own, or is made anew each time. */
const hiddenDirectories = new Set([".frond"]);
const skippedDirectories = new Set(["node_modules"]);

/** Paths of the test files below a directory, sorted; nothing when there is no such directory. */
export function listTestFiles(directory: string): readonly string[] | undefined {
  return listFiles(directory, /\.test\.ya?ml$/);
}

/** The same of all files that may hold workflows or tests. */
export function listYamlFiles(directory: string): readonly string[] | undefined {
  return listFiles(directory, /\.ya?ml$/);
}

function listFiles(directory: string, names: RegExp): readonly string[] | undefined {
  const top = entriesOf(directory);
  if (top === undefined) return undefined;
  const files: string[] = [];
  const ahead = [...top];
  for (let entry = ahead.pop(); entry !== undefined; entry = ahead.pop()) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && names.test(entry.name)) files.push(path);
    if (entry.isDirectory() && isLookedInto(entry.name)) ahead.push(...(entriesOf(path) ?? []));
  }
  return files.sort();
}

function isLookedInto(name: string): boolean {
  return name.startsWith(".") ? hiddenDirectories.has(name) : !skippedDirectories.has(name);
}

function entriesOf(directory: string): Dirent[] | undefined {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return undefined;
  }
}
