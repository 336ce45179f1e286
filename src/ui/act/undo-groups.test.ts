import { expect, test } from "vitest";
import type { PageUndo } from "../../views/page/act-records.ts";
import { groupLost, groupUndo } from "../../views/page/undo-groups.ts";
import { conflictsOf, countUndone, sayUndo } from "./undo-groups.ts";

const foreseen = {
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
} satisfies Parameters<typeof groupUndo>[0];
const undo: PageUndo = groupUndo(foreseen);
test("each file stands in the group that says what becomes of it", () => {
  expect(conflictsOf(undo).map(({ path }) => path)).toEqual(["CHANGELOG.md"]);
  const paths = (name: string): readonly string[] =>
    undo.files.filter(({ group }) => group === name).map(({ path }) => path);
  expect(undo.groups.map(({ name, count, rows }) => [name, count, paths(name), rows.map(({ what }) => what)])).toEqual([
    ["Restored", 1, ["package.json"], []],
    ["Removed again, as the run made them", 3, ["dist/a.js", "dist/b.js", "dist"], []],
    ["Can't be undone", 2, [], ["deploy", "old.txt"]],
    ["As before already", 1, ["same.txt"], []],
  ]);
  expect(undo.touched).toEqual(["changelog", "publish", "build", "deploy"]);
});

test("the sentence and the count say what will be done, by what becomes of files that were changed since", () => {
  expect(countUndone(undo, { all: "keep", of: {} })).toEqual([3, 4]);
  expect(countUndone(undo, { all: "force", of: {} })).toEqual([4, 4]);
  const mixed = { all: "force", of: { "CHANGELOG.md": "keep" } } as const;
  expect(countUndone(undo, mixed)).toEqual([3, 4]);
  expect(sayUndo(undo, mixed)).toContain("1 file changed since stays as it is.");
  expect(sayUndo(undo, { all: "keep", of: {} })).toBe(
    "1 file goes back to how it was, 2 new files and 1 new directory are removed. 1 file changed since stays as it is. 2 effects can't be undone.",
  );
  expect(sayUndo(groupUndo({ ...foreseen, files: [], irreversible: [], nothing: "it changed nothing" }), mixed)).toBe(
    "There is nothing to undo: it changed nothing.",
  );
});

test("directories that were changed since are counted apart from files", () => {
  const changed = { undo: "removed", found: "conflict", by: ["build"] } as const;
  const files = [
    { path: "a", ...changed },
    { path: "b", kind: "directory", ...changed },
    { path: "c", kind: "directory", ...changed },
  ] as const;
  const both = groupUndo({ run_id: "run_1", workflow: "release", files });
  expect(sayUndo(both, { all: "keep", of: {} })).toBe("1 file and 2 directories changed since stay as they are.");
  expect(sayUndo(both, { all: "keep", of: { a: "force", b: "force" } })).toBe(
    "1 directory changed since stays as it is. 1 file and 1 directory changed since lose what was changed since.",
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
    { why: "not kept", what: "c", by: "" },
    { why, what: "a, b", by: "" },
  ]);
});
