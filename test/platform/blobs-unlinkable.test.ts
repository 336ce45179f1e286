import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createBlobs } from "../../src/platform/files/blobs.ts";
import { unwrap } from "../rig/unwrap.ts";

test("where files have one name only, each run has its own, and no other is touched by its end", async () => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "frond-unlinkable-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  // As on exFAT, or some network drives.
  const blobs = createBlobs(directory, { mostBytes: 1_000, link: () => "unlinkable" });
  const bytes = Buffer.from("some bytes");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  unwrap(await blobs.put("run_1", bytes));
  unwrap(await blobs.put("run_1", bytes));
  unwrap(await blobs.put("run_2", bytes, { lasting: false }));
  expect(await blobs.use("run_3", sha256)).toBe(true);
  for (const runId of ["run_1", "run_2", "run_3"]) {
    expect(readdirSync(join(directory, "runs", runId))).toEqual([sha256]);
    expect(blobs.size(runId)).toBe(bytes.length);
  }
  expect(await blobs.usage()).toMatchObject({ bytes: 3 * bytes.length, unusedBytes: 0 });
  for (const runId of ["run_1", "run_2"]) {
    blobs.remove(runId);
    await blobs.sweep();
    expect(Buffer.from((await blobs.get(sha256)) ?? [])).toEqual(bytes);
  }
  blobs.remove("run_3");
  expect(await blobs.get(sha256)).toBeUndefined();
  expect(existsSync(join(directory, sha256.slice(0, 2), sha256))).toBe(false);
});
