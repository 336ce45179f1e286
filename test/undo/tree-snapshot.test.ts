import {
  chmodSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createRandom } from "../crash/random.ts";
import { readPath, writePath } from "./byte-path.ts";
import { layOutTree, names, oddNames, randomArea, type TreeEntry } from "./random-tree.ts";
import { compareSnapshots, findTouched, partOf, takeSnapshot } from "./tree-snapshot.ts";

function createDirectory(): string {
  const root = mkdtempSync(join(tmpdir(), "frond-undo-tree-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

test("every name can be written as text and read back", () => {
  for (let byte = 1; byte < 256; byte++) {
    for (const bytes of [Buffer.of(byte), Buffer.of(0xc3, byte), Buffer.of(0xe6, 0x97, byte), Buffer.of(0x5c, byte)]) {
      expect(readPath(writePath(bytes))).toEqual(bytes);
    }
  }
  for (const name of [...names, ...oddNames]) expect(writePath(readPath(name))).toBe(name);
});

test("a tree that is laid out is found as it was meant, with everything of every kind", () => {
  const kinds = new Set<string>();
  for (let seed = 0; seed < 40; seed++) {
    const root = createDirectory();
    const entries = randomArea(createRandom(seed), "area");
    layOutTree(root, entries);
    const found = [...takeSnapshot(root)].map(([path, { what }]): TreeEntry => {
      if (what.kind === "file") return { path, ...what, content: what.bytes.toString("latin1") };
      if (what.kind === "special") throw new Error(`${path} is neither file nor directory`);
      return { path, ...what };
    });
    const meant = entries.map((entry) => JSON.stringify(Object.entries(entry).sort())).sort();
    const isThere = found.map((entry) =>
      JSON.stringify(
        Object.entries(entry)
          .filter(([key]) => key !== "bytes")
          .sort(),
      ),
    );
    expect(isThere.sort()).toEqual(meant);
    for (const entry of entries) kinds.add(entry.kind === "file" ? entry.mode.toString(8) : entry.kind);
  }
  expect([...kinds]).toEqual(expect.arrayContaining(["600", "644", "755", "directory", "link"]));
});

const alterations: Readonly<Record<string, (root: string) => void>> = {
  'a: was a file 0644 of 1 bytes "1", is a file 0644 of 1 bytes "2"': (root) => writeFileSync(join(root, "a"), "2"),
  'a: was a file 0644 of 1 bytes "1", is a file 0600 of 1 bytes "1"': (root) => chmodSync(join(root, "a"), 0o600),
  'a: was a file 0644 of 1 bytes "1", is missing': (root) => unlinkSync(join(root, "a")),
  'new: was missing, is a link to "odd\\\\xff"': (root) => symlinkSync(readPath("odd\\xff"), join(root, "new")),
  "empty: was a directory 0755, is missing": (root) => rmSync(join(root, "empty"), { recursive: true }),
};

test.each(Object.entries(alterations))("a difference is told in words: %s", (words, alter) => {
  const root = createDirectory();
  layOutTree(root, [
    { path: "a", kind: "file", mode: 0o644, content: "1" },
    { path: "empty", kind: "directory", mode: 0o755 },
  ]);
  const before = takeSnapshot(root);
  expect(compareSnapshots(before, takeSnapshot(root))).toEqual([]);
  alter(root);
  expect(compareSnapshots(before, takeSnapshot(root))).toEqual([words]);
});

test("what was replaced by the same bytes, or only touched, is told where nobody had a reason to", () => {
  const root = createDirectory();
  const file = (path: string): TreeEntry => ({ path, kind: "file", mode: 0o644, content: "1" });
  layOutTree(root, [
    { path: "d", kind: "directory", mode: 0o755 },
    file("d/kept"),
    file("d/replaced"),
    file("touched"),
  ]);
  const before = takeSnapshot(root);
  writeFileSync(join(root, "other"), "1", { mode: 0o644 });
  renameSync(join(root, "other"), join(root, "d/replaced"));
  utimesSync(join(root, "touched"), 1, 1);
  const after = takeSnapshot(root);
  expect(compareSnapshots(before, after)).toEqual([]);
  const touched = (mayBe: (path: string) => boolean): string[] =>
    findTouched(before, after, mayBe).map((line) => line.slice(0, line.indexOf(":")));
  expect(touched(() => false)).toEqual(["d/replaced", "touched"]);
  expect(touched((path) => path === "touched")).toEqual(["d/replaced"]);
  expect([...partOf(after, "d").keys()]).toEqual(["d", "d/kept", "d/replaced"]);
});
