import { lstatSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { EntryTable } from "./entry-table.ts";
import { isRacy } from "./look-at-file.ts";
import type { DirectoryRecord } from "./tree.ts";
import { readTree, writeTree } from "./tree-bytes.ts";

const id = "ab".repeat(20);
const sha256 = "cd".repeat(32);

test("a tree is the same after it was written and read, whatever its names and tables", () => {
  const directory = mkdtempSync(join(tmpdir(), "frond-tree-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, "a"), "one");
  const [file, folder] = [lstatSync(join(directory, "a")), lstatSync(directory)];
  const [first, second] = [new EntryTable(), new EntryTable()];
  // A row that belongs to nothing any more.
  first.add(folder, false);
  const inGit = first.add(file, true);
  first.setStorage(inGit, "git-sha1", id);
  const large = first.add(file, false);
  first.reasons.set(large, "it is large");
  const kept = second.add(file, false);
  second.setStorage(kept, "blob", sha256);
  second.setRacy(kept);
  const tree = new Map<string, DirectoryRecord>([
    ["", { table: first, first: inGit, names: ["a", "b\udcff"], skipped: [".git"] }],
    ["d", { table: second, first: kept, names: ["\n"], skipped: [], choice: "all" }],
    ["e", { table: second, first: 0, names: [], skipped: [], unreadable: "it is closed" }],
  ]);
  const read = readTree(writeTree(tree, { about: "it" }));
  expect(read?.about).toEqual({ about: "it" });
  const shape = (one: ReadonlyMap<string, DirectoryRecord> | undefined): unknown =>
    [...(one ?? [])].map(([path, { table, first: from, names, ...record }]) => {
      const rows = names.map((name, index) => {
        const row = from + index;
        const marks = [table.isSame(row, file), table.isRacy(row), table.isTracked(row)];
        return [name, marks, table.storage(row), table.digest(row), table.reasons.get(row)];
      });
      return { path, ...record, rows };
    });
  expect(shape(read?.tree)).toEqual(shape(tree));
  expect(read?.tree.get("")?.table.digest(0)).toBe(id);
  expect(read?.tree.get("d")?.table.digest(2)).toBe(sha256);
});

test("bytes that are no tree, or not all of one, are none", () => {
  const whole = writeTree(new Map(), undefined);
  expect(readTree(whole)?.tree).toEqual(new Map());
  expect(readTree(whole.subarray(0, -3))).toBeUndefined();
  expect(readTree(Buffer.from("something else"))).toBeUndefined();
  expect(readTree(new Uint8Array())).toBeUndefined();
});

test.each([
  ["long ago", 5_000.25, false],
  ["in the same tick of the clock", 9_980.5, true],
  ["later, by another clock", 20_000.5, true],
  ["a second ago, where only seconds are told", 8_000, true],
  ["long ago, where only seconds are told", 7_000, false],
])("what was changed %s can change again without a trace: %s %s", (_when, ctimeMs, expected) => {
  expect(isRacy({ ctimeMs, mtimeMs: ctimeMs }, 10_000)).toBe(expected);
});
