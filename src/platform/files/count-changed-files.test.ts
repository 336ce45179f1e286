import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { countChangedFiles } from "./count-changed-files.ts";

const since = new Date(1_000_000);

function createTree(files: Readonly<Record<string, number>>): string {
  const root = mkdtempSync(join(tmpdir(), "frond-count-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [name, seconds] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), "");
    utimesSync(join(root, name), seconds, seconds);
  }
  return root;
}

test("files that were written since are counted, at any depth", async () => {
  const root = createTree({ "old.ts": 900, "new.ts": 1_100, "deep/er/new.ts": 1_100, "deep/old.ts": 1_000 });
  expect(await countChangedFiles(root, since, [])).toBe(2);
});

test("what is named, and what git, packages and scratch directories hold, does not count", async () => {
  const root = createTree({
    "w.yaml": 1_100,
    ".git/HEAD": 1_100,
    "node_modules/a/b.js": 1_100,
    ".scratch/x": 1_100,
    a: 1_100,
  });
  expect(await countChangedFiles(root, since, ["w.yaml"])).toBe(1);
  expect(await countChangedFiles(root, since, [join(root, "w.yaml"), join(root, "a")])).toBe(0);
});

test("a directory that is not there has none", async () => {
  expect(await countChangedFiles("/no/such/directory", since, [])).toBe(0);
});
