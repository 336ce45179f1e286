import { deflateRawSync, inflateRawSync } from "node:zlib";
import { defined } from "../../../util/defined.ts";
import { columns, EntryTable } from "./entry-table.ts";
import { type DirectoryRecord, gatherRows, type Tree } from "./tree.ts";

/**
 * Trees as bytes: a header in JSON, which also spells names that are not UTF-8, then the columns of the table one after the other.
 * Compressed lightly, because names and times repeat themselves.
 */

/** Any other is not read: what it is for is found out again, or named as not known. */
const version = 2;

interface Header {
  readonly version: number;
  readonly about: unknown;
  readonly rows: number;
  readonly directories: readonly (readonly [
    path: string,
    names: readonly string[],
    skipped: readonly string[],
    more?: Pick<DirectoryRecord, "choice" | "unreadable">,
  ])[];
  readonly targets: readonly (readonly [number, string])[];
  readonly reasons: readonly (readonly [number, string])[];
}

/** `about` is anything that JSON can hold. */
export function writeTree(tree: Tree, about: unknown): Uint8Array {
  const gathered = gatherRows(tree);
  const table = gathered.values().next().value?.table ?? new EntryTable();
  const header: Header = {
    version,
    about,
    rows: table.count,
    directories: [...gathered].map(([path, { names, skipped, choice, unreadable }]) => {
      const isPlain = choice === undefined && unreadable === undefined;
      return isPlain ? [path, names, skipped] : [path, names, skipped, defined({ choice, unreadable })];
    }),
    targets: [...table.targets],
    reasons: [...table.reasons],
  };
  const head = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32LE(head.length);
  const parts = columns.map((name) => new Uint8Array(table[name].buffer));
  return deflateRawSync(Buffer.concat([length, head, ...parts]), { level: 1 });
}

const lengthBytes = 4;

/** Nothing for bytes that are no tree, or one of another version. */
export function readTree(
  bytes: Uint8Array,
): { readonly tree: Map<string, DirectoryRecord>; readonly about: unknown } | undefined {
  try {
    return parseTree(inflateRawSync(bytes));
  } catch {
    return undefined;
  }
}

function parseTree(
  bytes: Buffer,
): { readonly tree: Map<string, DirectoryRecord>; readonly about: unknown } | undefined {
  const end = lengthBytes + bytes.readUInt32LE();
  const header = JSON.parse(bytes.toString("utf8", lengthBytes, end)) as Header;
  if (header.version !== version) return undefined;
  const table = new EntryTable(header.rows, header.rows);
  let at = end;
  for (const name of columns) {
    const column = new Uint8Array(table[name].buffer);
    column.set(bytes.subarray(at, at + column.length));
    at += column.length;
  }
  if (at !== bytes.length) return undefined;
  for (const [row, target] of header.targets) table.targets.set(row, target);
  for (const [row, reason] of header.reasons) table.reasons.set(row, reason);
  const tree = new Map<string, DirectoryRecord>();
  let first = 0;
  for (const [path, names, skipped, more] of header.directories) {
    tree.set(path, { table, first, names, skipped, ...more });
    first += names.length;
  }
  return { tree, about: header.about };
}
