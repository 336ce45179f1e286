import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { RootedPath } from "../block/ports.ts";
import { createFileSystem } from "../platform/files/file-system.ts";
import { foreseeChanges } from "./foreseen-changes.ts";
import { OverlayFiles } from "./overlay-files.ts";

function prepare(): { readonly files: OverlayFiles; readonly at: (path: string) => RootedPath } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "frond-overlay-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "d"));
  symlinkSync("d", join(root, "link"));
  for (const name of ["a", "d/b"]) writeFileSync(join(root, name), name);
  for (const name of ["a", "d/b"]) chmodSync(join(root, name), 0o644);
  chmodSync(join(root, "d"), 0o755);
  return { files: new OverlayFiles(createFileSystem()), at: (path) => ({ root, path }) };
}

test("a mode is set for the overlay alone, and what lies there keeps its bytes", async () => {
  const { files, at } = prepare();
  expect(await files.setMode(at("a"), 0o4755)).toBeUndefined();
  expect(await files.setMode(at("d"), 0o700)).toBeUndefined();
  expect(lstatSync(join(at("").root, "a")).mode & 0o777).toBe(0o644);
  expect(await files.look(at("a"))).toEqual({ kind: "file", mode: 0o755, size: 1 });
  expect(await files.read(at("a"), 10)).toEqual({ bytes: Buffer.from("a"), mode: 0o755 });
  const sha256 = createHash("sha256").update("a").digest("hex");
  expect(await files.hash(at("a"))).toEqual({ sha256, size: 1, mode: 0o755 });
  expect(await files.readPieces(at("a"), async () => {})).toEqual({ size: 1, mode: 0o755 });
  expect(await files.list(at("d"))).toEqual(["b"]);
  expect(await foreseeChanges(files, (text) => text)).toEqual([
    { at: at("a"), change: "changed", what: "file", mode: 0o755 },
    { at: at("d"), change: "changed", what: "directory", mode: 0o700 },
  ]);
  await files.setMode(at("a"), 0o644);
  await files.setMode(at("d"), 0o755);
  expect(await foreseeChanges(files, (text) => text)).toEqual([]);
});

test("a mode goes with what is moved, before and after", async () => {
  const { files, at } = prepare();
  await files.setMode(at("a"), 0o600);
  await files.rename(at("a"), at("c"));
  await files.rename(at("d"), at("e"));
  await files.setMode(at("e/b"), 0o600);
  expect(await foreseeChanges(files, (text) => text)).toEqual([
    { at: at("c"), change: "moved", what: "file", from: at("a"), mode: 0o600 },
    { at: at("e"), change: "moved", what: "directory", from: at("d") },
    { at: at("e/b"), change: "changed", what: "file", mode: 0o600 },
  ]);
});

test("a mode is refused as on a disk", async () => {
  const { files, at } = prepare();
  for (const path of ["none", "link", "link/b", "none/x"]) {
    expect(await files.setMode(at(path), 0o600)).toEqual(await createFileSystem().setMode(at(path), 0o600));
  }
});
