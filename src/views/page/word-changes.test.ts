import { expect, test } from "vitest";
import type { PathChange } from "../changes.ts";
import { wordChanges } from "./word-changes.ts";

const run = { run_id: "run_1", workflow: "release", status: "success", workspace: "/work" } as const;
const edited: PathChange = { path: "a.txt", change: "edited", by: ["edit"], lines_added: 2, lines_removed: 1 };
const wordsOf = (changes: readonly PathChange[], lost = 0): string =>
  wordChanges({
    ...run,
    changes,
    not_captured: Array.from({ length: lost }, (_, index) => ({ path: `lost-${index}`, why: "too large", by: [] })),
  }).says;

test("what an undo would do with changed files is said in a few words", () => {
  expect(wordsOf([edited])).toBe("Undo restores it");
  expect(wordsOf([edited, edited])).toBe("Undo restores all 2");
  expect(wordsOf([edited], 2)).toBe("Undo restores 1 of 3");
  expect(wordsOf([edited, { ...edited, now: "changed since" }])).toBe("Undo restores 1 of 2, 1 file changed since");
  expect(wordsOf([{ ...edited, now: "changed since" }])).toBe("1 file changed since");
  expect(wordsOf([{ ...edited, now: "as before" }])).toBe("Undone");
});

test("lines are summed up, and each file says what its diff does not tell", () => {
  const moved: PathChange = {
    path: "b.bin",
    change: "moved",
    from: "a.bin",
    by: ["move"],
    mode_before: "0644",
    mode_after: "0755",
    no_diff: "not text",
    size_before: 1,
    size_after: 2000,
    now: "changed since",
  };
  const { lines_added, lines_removed, changes } = wordChanges({ ...run, changes: [edited, edited, moved] });
  expect([lines_added, lines_removed]).toEqual([4, 2]);
  expect(changes.map(({ tags, notes }) => [tags, notes])).toEqual([
    [[], []],
    [[], []],
    [
      ["changed since", "moved"],
      ["moved from a.bin", "mode 0644 to 0755", "No diff: not text. 1 byte before, 2,000 bytes after."],
    ],
  ]);
});
