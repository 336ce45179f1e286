import { chmodSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { keepIn } from "../../test/rig/make-changes.ts";
import type { FileChange } from "../block/block-files.ts";
import type { BlobProblem, FileSystem, RootedPath } from "../block/ports.ts";
import { createFileSystem } from "../platform/files/file-system.ts";
import { createMemoryBlobs } from "../platform/files/memory-blobs.ts";
import { captureChanges, captureEach, type Keeping } from "./capture-changes.ts";
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
  keeping: Partial<Keeping> = {},
): Promise<readonly RecordedChange[]> {
  const captured = await captureChanges(changes, files, { ...keepIn(createMemoryBlobs()), ...keeping });
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
    { kind: "rename", from: a, to: at("b") },
  ];
  const holdsSecret = (bytes: Uint8Array): boolean => Buffer.from(bytes).includes("canary");
  for (const change of uses) {
    const kept: string[] = [];
    const keep = async (bytes: Uint8Array): Promise<undefined> => void kept.push(Buffer.from(bytes).toString());
    const [open] = await capture([change], real, { keep });
    expect(JSON.stringify(open)).toContain('"kept":true');
    expect(kept).toContain("token=canary");
    kept.length = 0;
    const [secret] = await capture([change], real, { keep, holdsSecret });
    expect(secret).not.toMatchObject({ before: { kept: true } });
    expect(kept).not.toContain("token=canary");
  }
});

test("what is moved is not read if it is large, and need not be readable", async () => {
  const at = prepare("text");
  const [from, to] = [at("a"), at("b")];
  const denied: FileSystem = { ...real, read: async () => ({ kind: "denied", message: "permission denied" }) };
  expect(await capture([{ kind: "rename", from, to }], denied)).toMatchObject([
    { kind: "rename", moved: { kind: "file", mode: 0o644, size: 4 }, replaced: { kind: "missing" } },
  ]);
  truncateSync(join(from.root, "a"), 50_000_001);
  const never: FileSystem = { ...real, read: () => Promise.reject(new Error("It was read.")) };
  expect(await capture([{ kind: "rename", from, to }], never)).toMatchObject([{ moved: { size: 50_000_001 } }]);
});

test("a path from which something is taken away can be filled at once, any other is changed only once", async () => {
  const at = prepare("text");
  const write = (path: string): FileChange => ({ kind: "write", at: at(path), bytes: Buffer.of() });
  const [, filled] = await capture([{ kind: "rename", from: at("a"), to: at("b") }, write("a")]);
  expect(filled).toMatchObject({ kind: "write", before: { kind: "missing" } });
  await expect(capture([write("a"), { kind: "remove", at: at("a") }])).rejects.toThrow("'a' is changed twice");
});

describe("a file that can't be kept", () => {
  const limit = { kind: "limit", message: "Too much." } as const;
  const full = { kind: "full", message: "The disk is full." } as const;
  const old = Buffer.from("old");
  const keepNot = (problem: BlobProblem): Partial<Keeping> => ({
    keep: async (bytes) => (old.equals(bytes) ? problem : undefined),
  });
  const write = (at: RootedPath): FileChange => ({ kind: "write", at, bytes: Buffer.from("new") });

  test("is changed all the same where a run has reached its limit, and that is on record", async () => {
    const at = prepare("old");
    const [recorded] = await capture([write(at("a"))], real, keepNot(limit));
    expect(recorded).toMatchObject({ before: { kind: "file", size: 3 }, after: { kept: true } });
    expect(recorded).not.toMatchObject({ before: { kept: true } });
  });

  test("is not changed where undo was promised, or the disk is full", async () => {
    const at = prepare("old");
    for (const [problem, promisesUndo] of [
      [limit, true],
      [full, true],
      [full, false],
    ] as const) {
      const captured = capture([write(at("b")), write(at("a"))], real, { ...keepNot(problem), promisesUndo });
      await expect(captured).rejects.toThrow(`'a' is left as it is. ${problem.message}`);
    }
    truncateSync(join(at("a").root, "a"), 50_000_001);
    await expect(capture([{ kind: "remove", at: at("a") }], real, { promisesUndo: true })).rejects.toThrow(
      "'a' is left as it is. It is larger than 50 MB, so undo could not put it back.",
    );
  });
});

test("what is written is kept to show differences, unless it is large, holds a secret or can't be kept", async () => {
  const at = prepare("old");
  const write = (size: number): FileChange => ({ kind: "write", at: at("b"), bytes: Buffer.alloc(size) });
  const lasting: boolean[] = [];
  const keep: Keeping["keep"] = async (_bytes, lasts) => void lasting.push(lasts);
  expect(await capture([write(1_000_000)], real, { keep })).toMatchObject([{ after: { kept: true } }]);
  expect(lasting).toEqual([false]);
  const unkept: readonly [number, Partial<Keeping>][] = [
    [1_000_001, {}],
    [1, { holdsSecret: () => true }],
    [1, { keep: async () => ({ kind: "full", message: "" }), promisesUndo: true }],
  ];
  for (const [size, keeping] of unkept) {
    const [recorded] = await capture([write(size)], real, keeping);
    expect(recorded).toMatchObject({ kind: "write", after: { size } });
    expect(recorded).not.toMatchObject({ after: { kept: true } });
  }
});

test("of changes that go on without those that can't be kept, none counts on one that is left out", async () => {
  const at = prepare("old");
  const keep: Keeping["keep"] = async (bytes) =>
    Buffer.from(bytes).toString() === "old" ? { kind: "full", message: "The disk is full." } : undefined;
  const write = (path: string): FileChange => ({ kind: "write", at: at(path), bytes: Buffer.from("new") });
  const changes = [write("b"), { kind: "rename", from: at("a"), to: at("c") } as const, write("a"), write("d")];
  const keeping = { ...keepIn(createMemoryBlobs()), keep };
  const { possible, problem } = await captureEach(changes, real, keeping, true);
  expect(possible.map(({ change }) => change)).toEqual([changes[0], changes[3]]);
  expect(problem?.message).toBe("'a' is left as it is. The disk is full.");
  expect(possible.map(({ captured }) => captured("t"))).toMatchObject([
    { kind: "write", after: { kept: true } },
    { kind: "write", after: { kept: true } },
  ]);
});
