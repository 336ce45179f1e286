import { expect, test } from "vitest";
import type { PageUndo } from "../../views/page/act-records.ts";
import type { BlockCard } from "../../views/page/page-records.ts";
import { countUndone, groupLost, groupUndo, sayUndo } from "./undo-groups.ts";

const card = (address: string, standing: BlockCard["standing"]): BlockCard =>
  ({ address, name: address, standing }) as BlockCard;

const undo: PageUndo = {
  run_id: "run_1",
  workflow: "release",
  files: [
    { path: "CHANGELOG.md", undo: "restored", found: "conflict", by: ["changelog"] },
    { path: "package.json", undo: "restored", found: "restorable", by: ["publish@2/bump"] },
    { path: "dist/a.js", undo: "removed", found: "restorable", by: ["build/0/pack"] },
    { path: "dist/b.js", undo: "removed", found: "restorable", by: ["build/1/pack"] },
    { path: "dist", kind: "directory", undo: "removed", found: "restorable", by: ["build/0/pack"] },
    { path: "old.txt", undo: "brought back", found: "not-kept", by: ["build"] },
    { path: "same.txt", undo: "restored", found: "already", by: ["build"] },
  ],
  irreversible: [{ block: "deploy", why: "it has no `undo:`" }],
};
const blocks = [
  card("changelog", "done"),
  card("publish", "handled"),
  card("build", "done"),
  card("deploy", "done"),
  card("lint", "done"),
  card("soak", "skipped"),
];

test("each file stands in the group that says what becomes of it", () => {
  const groups = groupUndo(undo, blocks);
  expect(groups.conflicts.map(({ path }) => path)).toEqual(["CHANGELOG.md"]);
  expect(groups.restored.map(({ path }) => path)).toEqual(["package.json"]);
  expect(groups.removed.map(({ path }) => path)).toEqual(["dist/a.js", "dist/b.js", "dist"]);
  expect(groups.already.map(({ path }) => path)).toEqual(["same.txt"]);
  expect(groups.lost.map(({ what }) => what)).toEqual(["deploy", "old.txt"]);
  expect(groups.untouched).toEqual(["lint"]);
});

test("the sentence and the count say what will be done, by what becomes of files that were changed since", () => {
  const groups = groupUndo(undo, blocks);
  expect(countUndone(groups, { all: "keep", of: {} })).toEqual([3, 4]);
  expect(countUndone(groups, { all: "force", of: {} })).toEqual([4, 4]);
  const mixed = { all: "force", of: { "CHANGELOG.md": "keep" } } as const;
  expect(countUndone(groups, mixed)).toEqual([3, 4]);
  expect(sayUndo(undo, groups, mixed)).toContain("1 file changed since stays as it is.");
  expect(sayUndo(undo, groups, { all: "keep", of: {} })).toBe(
    "1 file goes back to how it was, 2 new files and 1 new directory are removed. 1 file changed since stays as it is. 2 effects can't be undone.",
  );
  expect(sayUndo({ ...undo, files: [], nothing: "it changed nothing" }, groups, mixed)).toBe(
    "There is nothing to undo: it changed nothing.",
  );
});

test("what is lost for the same reason stands together, the rarest reason first", () => {
  const why = "it has no `undo:`";
  const lost = [
    { what: "a", why },
    { what: "b", why },
    { what: "c", why: "not kept" },
  ];
  expect(groupLost(lost)).toEqual([
    { why: "not kept", all: ["c"] },
    { why, all: ["a", "b"] },
  ]);
});
