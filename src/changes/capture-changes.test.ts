import { chmodSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { FileChange } from "../block/block-files.ts";
import type { FileSystem, RootedPath } from "../block/ports.ts";
import { createFileSystem } from "../platform/files/file-system.ts";
import { captureChanges } from "./capture-changes.ts";
import type { RecordedChange } from "./recorded-change.ts";

const real = createFileSystem();

/** A directory with a file `a` that may be read. */
function prepare(content: string): (path: string) => RootedPath {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "frond-capture-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, "a"), content);
  chmodSync(join(root, "a"), 0o644);
  return (path) => ({ root, path });
}

async function capture(
  changes: readonly FileChange[],
  files: FileSystem = real,
  secret?: string,
): Promise<readonly RecordedChange[]> {
  const holdsSecret = (bytes: Uint8Array): boolean => secret !== undefined && Buffer.from(bytes).includes(secret);
  const captured = await captureChanges(changes, files, holdsSecret);
  if ("message" in captured) throw new Error(captured.message);
  return captured.map((record) => record("t"));
}

test("a file that holds a secret is not kept, whatever becomes of it", async () => {
  const at = prepare("token=canary");
  const a = at("a");
  const uses: readonly FileChange[] = [
    { kind: "write", at: a, bytes: Buffer.of() },
    { kind: "remove", at: a },
    { kind: "rename", from: at("b"), to: a },
  ];
  const content = Buffer.from("token=canary").toString("base64");
  for (const change of uses) {
    expect(JSON.stringify(await capture([change]))).toContain(content);
    expect(JSON.stringify(await capture([change], real, "canary"))).not.toContain(content);
  }
});

test("what is moved is not read if it is large, and need not be readable", async () => {
  const at = prepare("text");
  const [from, to] = [at("a"), at("b")];
  const denied: FileSystem = { ...real, hash: async () => ({ kind: "denied", message: "permission denied" }) };
  expect(await capture([{ kind: "rename", from, to }], denied)).toMatchObject([
    { kind: "rename", moved: { kind: "file", mode: 0o644, size: 4 }, replaced: { kind: "missing" } },
  ]);
  truncateSync(join(from.root, "a"), 50_000_001);
  const never: FileSystem = { ...real, hash: () => Promise.reject(new Error("It was read.")) };
  expect(await capture([{ kind: "rename", from, to }], never)).toMatchObject([{ moved: { size: 50_000_001 } }]);
});

test("a path from which something is taken away can be filled at once, any other is changed only once", async () => {
  const at = prepare("text");
  const write = (path: string): FileChange => ({ kind: "write", at: at(path), bytes: Buffer.of() });
  const [, filled] = await capture([{ kind: "rename", from: at("a"), to: at("b") }, write("a")]);
  expect(filled).toMatchObject({ kind: "write", before: { kind: "missing" } });
  await expect(capture([write("a"), { kind: "remove", at: at("a") }])).rejects.toThrow("'a' is changed twice");
});
