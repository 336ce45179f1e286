import { chmodSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { keepIn } from "../../test/rig/make-changes.ts";
import type { FileChange } from "../block/block-files.ts";
import type { FileSystem, RootedPath } from "../block/ports.ts";
import { createFileSystem } from "../platform/files/file-system.ts";
import { createMemoryBlobs } from "../platform/files/memory-blobs.ts";
import { applyChange } from "./apply-change.ts";
import { captureChanges } from "./capture-changes.ts";
import { compareChanges, countFoundMade } from "./compare-changes.ts";
import type { RecordedChange } from "./recorded-change.ts";

const files = createFileSystem();

/** A directory with the files `a` and `b`. */
function prepare(): (path: string) => RootedPath {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "frond-compare-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, "a"), "a");
  writeFileSync(join(root, "b"), "b");
  return (path) => ({ root, path });
}

async function record(changes: readonly FileChange[]): Promise<readonly RecordedChange[]> {
  const captured = await captureChanges(changes, files, keepIn(createMemoryBlobs()));
  if ("message" in captured) throw new Error(captured.message);
  return captured.map((one, index) => one(`.${index}.tmp`));
}

test("changes are unmade until the last of them is made, also where a path is filled again", async () => {
  const at = prepare();
  const changes: readonly FileChange[] = [
    { kind: "make-directory", at: at("d") },
    { kind: "rename", from: at("a"), to: at("d/a") },
    { kind: "write", at: at("a"), bytes: Buffer.from("new") },
    { kind: "remove", at: at("b") },
  ];
  const recorded = await record(changes);
  for (const [index, change] of changes.entries()) {
    expect(await compareChanges(recorded, files)).toBe("unmade");
    await applyChange(change, recorded[index] as RecordedChange, files);
  }
  expect(await compareChanges(recorded, files)).toBe("made");
});

test("the first changes are known to be made by what later ones found, whatever is there now", async () => {
  const at = prepare();
  const first = await record([
    { kind: "write", at: at("a"), bytes: Buffer.from("new") },
    { kind: "remove", at: at("b") },
  ]);
  writeFileSync(join(at("").root, "a"), "new");
  const later = await record([{ kind: "rename", from: at("a"), to: at("c") }]);
  expect(countFoundMade(first, [])).toBe(0);
  expect(countFoundMade(first, later)).toBe(1);
});

test("a file is read only if its size and mode leave it open which it is", async () => {
  const at = prepare();
  const recorded = await record([{ kind: "write", at: at("a"), bytes: Buffer.from("c") }]);
  const unread: FileSystem = { ...files, hash: () => Promise.reject(new Error("It was read.")) };
  await expect(compareChanges(recorded, unread)).rejects.toThrow("It was read.");
  writeFileSync(join(at("").root, "a"), "longer");
  expect(await compareChanges(recorded, unread)).toBe("unclear");
});

test("a directory that was made may have any mode, for a moved one it counts", async () => {
  const at = prepare();
  const { root } = at("");
  const made = await record([{ kind: "make-directory", at: at("d") }]);
  mkdirSync(join(root, "d"));
  chmodSync(join(root, "d"), 0o700);
  expect(await compareChanges(made, files)).toBe("made");
  const moved = await record([{ kind: "rename", from: at("d"), to: at("e") }]);
  renameSync(join(root, "d"), join(root, "e"));
  expect(await compareChanges(moved, files)).toBe("made");
  chmodSync(join(root, "e"), 0o750);
  expect(await compareChanges(moved, files)).toBe("unclear");
});
