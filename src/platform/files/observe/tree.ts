import { EntryTable } from "./entry-table.ts";
import type { Choice } from "./surroundings.ts";

/** A directory as it was found: its entries that are observed, sorted, each with a row of the table from `first` on. */
export interface DirectoryRecord {
  readonly table: EntryTable;
  readonly first: number;
  readonly names: readonly string[];
  /** Sorted names that were there but are not observed: git ignores them, or they are nobody's to observe. */
  readonly skipped: readonly string[];
  /** How its entries were chosen, where that is not by what git ignores. */
  readonly choice?: Choice;
  /** Why its names could not be read; then nothing is known of what is in it. */
  readonly unreadable?: string;
}

/** The observed entries below a workspace, by the path of their directory; the workspace itself is the empty path. */
export type Tree = ReadonlyMap<string, DirectoryRecord>;

/** An entry of a tree. */
export interface EntryAt {
  readonly table: EntryTable;
  readonly row: number;
}

export function pathIn(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}

export function isSkipped({ skipped }: DirectoryRecord, name: string): boolean {
  let [from, to] = [0, skipped.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((skipped[middle] as string) < name) from = middle + 1;
    else to = middle;
  }
  return skipped[from] === name;
}

export const noRow = -1;

/** The row that each of sorted names has in a record. */
export function rowsOf(names: readonly string[], record: DirectoryRecord | undefined): readonly number[] {
  const known = record?.names ?? [];
  const first = record?.first ?? 0;
  let at = 0;
  return names.map((name) => {
    while (at < known.length && (known[at] as string) < name) at++;
    return known[at] === name ? first + at : noRow;
  });
}

/** Everything below a directory of the tree, what lies deeper after what holds it. */
export function* entriesBelow(tree: Tree, directory: string): Generator<EntryAt & { readonly path: string }> {
  const record = tree.get(directory);
  if (record === undefined) return;
  for (const [index, name] of record.names.entries()) {
    const row = record.first + index;
    const path = pathIn(directory, name);
    yield { table: record.table, row, path };
    if (record.table.kind(row) === "directory") yield* entriesBelow(tree, path);
  }
}

export function countRows(tree: Tree): number {
  let count = 0;
  for (const { names } of tree.values()) count += names.length;
  return count;
}

/** The same records with rows of one table, in which nothing else is. */
export function gatherRows(tree: Tree): Map<string, DirectoryRecord> {
  const table = new EntryTable(countRows(tree));
  const gathered = new Map<string, DirectoryRecord>();
  for (const [path, record] of tree) {
    const first = table.count;
    for (let at = 0; at < record.names.length; at++) table.copy(record.table, record.first + at);
    gathered.set(path, { ...record, table, first });
  }
  return gathered;
}

/** The record without some of its entries, in a table of its own: it may be shared with what was known before. */
export function withoutNames(record: DirectoryRecord, gone: ReadonlySet<string>): DirectoryRecord {
  const table = new EntryTable(record.names.length);
  for (const [index, name] of record.names.entries()) {
    if (!gone.has(name)) table.copy(record.table, record.first + index);
  }
  return { ...record, table, first: 0, names: record.names.filter((name) => !gone.has(name)) };
}
