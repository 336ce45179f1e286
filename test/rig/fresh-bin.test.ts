import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { requireFreshBin } from "./fresh-bin.ts";

function prepare(files: Readonly<Record<string, number>>): () => void {
  const root = mkdtempSync(join(tmpdir(), "frond-fresh-bin-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [file, writtenAt] of Object.entries(files)) {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), "");
    utimesSync(join(root, file), writtenAt, writtenAt);
  }
  return () => requireFreshBin(root, join(root, "dist/main.js"));
}

test("a bin that is older than a source fails whoever would test it", () => {
  expect(prepare({ "dist/main.js": 1000, "src/a/b.ts": 2000 })).toThrow(
    "The bin is older than src/a/b.ts. Run: npm run build",
  );
  expect(prepare({ "src/a/b.ts": 2000 })).toThrow("There is no bin to test. Run: npm run build");
});

test("a bin that is newer than all sources is tested, whatever tests are newer", () => {
  expect(prepare({ "dist/main.js": 2000, "src/a/b.ts": 1000, "src/a/b.test.ts": 3000 })).not.toThrow();
});
