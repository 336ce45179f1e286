import type { StoredState } from "../../../changes/recorded-change.ts";
import type { Ending } from "./end-observation.ts";
import type { Manifest } from "./manifest.ts";
import { type EntryAt, isSkipped, type Tree } from "./tree.ts";

/** What lay at paths before a command, each as it can be put back; nothing where nobody has looked, or has kept it. */
export async function recallStates(
  { tree }: Manifest,
  paths: readonly string[],
  ending: Ending,
): Promise<readonly (StoredState | undefined)[]> {
  const found = paths.map((path) => findEntry(tree, path));
  for (const [index, entry] of found.entries()) {
    if (typeof entry === "object") ending.examine({ path: paths[index] as string, before: entry, after: undefined });
  }
  await ending.fetchFromGit();
  const kept = new Map((await ending.keepAfter()).map(({ path, before }) => [path, before]));
  return found.map((entry, index) => (entry === "missing" ? { kind: "missing" } : kept.get(paths[index] as string)));
}

/** Whether anything lay there is told by the innermost directory that did. */
function findEntry(tree: Tree, path: string): EntryAt | "missing" | "unknown" {
  for (let end = path.length; ; ) {
    const start = path.lastIndexOf("/", end - 1) + 1;
    const record = tree.get(path.slice(0, Math.max(start - 1, 0)));
    const name = path.slice(start, end);
    if (record !== undefined) {
      const { table, first, names, unreadable } = record;
      const index = names.indexOf(name);
      if (index >= 0) {
        const entry = { table, row: first + index };
        if (end === path.length) return entry;
        return table.kind(entry.row) === "directory" ? "unknown" : "missing";
      }
      return unreadable !== undefined || isSkipped(record, name) ? "unknown" : "missing";
    }
    if (start === 0) return "unknown";
    end = start - 1;
  }
}
