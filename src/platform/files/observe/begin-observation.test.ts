import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { beginObservation } from "./begin-observation.ts";
import { endObservation } from "./end-observation.ts";
import { readManifest } from "./manifest.ts";
import type { Keeper, Kept } from "./surroundings.ts";
import { readTree } from "./tree-bytes.ts";
import { WorkspaceIndexes } from "./workspace-index.ts";

test("what is gone before the command starts is not there, and nobody's doing", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "frond-begin-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const workspace = join(root, "workspace");
  for (const path of ["d", "f/g"]) mkdirSync(join(workspace, path), { recursive: true });
  for (const path of ["a", "d/b", "d/c", "e", "f/g/h"]) writeFileSync(join(workspace, path), path);
  const blobs = new Map<string, Uint8Array>();
  const keep = (bytes: Uint8Array): Kept => {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    blobs.set(sha256, bytes);
    return { sha256, size: bytes.length };
  };
  const keepFile = (path: string): Kept => {
    try {
      return keep(readFileSync(join(workspace, path)));
    } catch {
      return { problem: "it can't be read" };
    }
  };
  const keeper: Keeper = {
    async keepFiles(paths) {
      // Some before they are read, one after.
      for (const path of ["d/b", "f"]) rmSync(join(workspace, path), { recursive: true, force: true });
      const kept = paths.map(keepFile);
      rmSync(join(workspace, "e"), { force: true });
      return kept;
    },
    keepBytes: async (bytes) => keep(bytes),
    use: async (sha256s) => sha256s.map((sha256) => blobs.has(sha256)),
    get: async (sha256) => blobs.get(sha256),
  };
  const around = { workspace, own: [], git: undefined, throwIfAborted() {} };
  const begun = await beginObservation(around, [], new WorkspaceIndexes(join(root, "indexes")), keeper);
  if (!begun.ok) throw new Error(begun.error);
  expect(begun.value.notCaptured).toEqual([]);
  const bytesOf = (sha256: string): Uint8Array => blobs.get(sha256) ?? new Uint8Array();
  const manifest = await readManifest(bytesOf(begun.value.snapshot), async (base) => readTree(bytesOf(base))?.tree);
  if (manifest === undefined) throw new Error("The manifest can't be read.");
  expect([...manifest.tree].map(([path, { names }]) => [path, names])).toEqual([
    ["", ["a", "d"]],
    ["d", ["c"]],
  ]);
  writeFileSync(join(workspace, "a"), "new");
  const { changes, notCaptured } = await endObservation(around, manifest, keeper);
  expect(changes.map(({ path }) => path)).toEqual(["a"]);
  expect(notCaptured).toEqual([]);
});
