import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Clock } from "../../src/block/ports.ts";
import { sha256Of } from "../../src/changes/capture-changes.ts";
import type { EntryState } from "../../src/changes/recorded-change.ts";
import { writeState } from "../../src/changes/state-text.ts";
import { createTestEngine, type Outcome } from "../rig/engine.ts";
import { restoreBlocks } from "../rig/restore-blocks.ts";
import { runBlock } from "../rig/run-block.ts";
import { compareSnapshots, takeSnapshot } from "../undo/tree-snapshot.ts";
import { asOrdinaryUser } from "./file-ground.ts";
import { type Ground, prepare, succeed } from "./restore-ground.ts";

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

const works: Readonly<Record<string, readonly object[]>> = {
  "a file that was made, with the directories on the way": [
    { type: "CreateFile", inputs: { path: "new/deep/ü ☃\n.txt", content: "made" } },
  ],
  "a file that was edited": [
    { type: "EditFile", inputs: { path: "text", operations: [{ type: "insert_lines", content: "more" }] } },
    { type: "EditFile", inputs: { path: "text", content: "all of it" } },
  ],
  "line ends": [{ type: "CreateFile", inputs: { path: "windows", content: "one\ntwo\n" } }],
  "bytes that are no text": [
    { type: "CreateFile", inputs: { path: "dir/binary", content: base64(Buffer.from([1, 0, 2])), encoding: "base64" } },
  ],
  "an empty file": [{ type: "CreateFile", inputs: { path: "empty", content: "full" } }],
  permissions: [
    { type: "CreateFile", inputs: { path: "program", content: "#!/bin/sh\n", mode: "600" } },
    { type: "CreateFile", inputs: { path: "text", content: "x", mode: "400" } },
  ],
  "a file that was deleted": [{ type: "DeleteFile", inputs: { path: "dir/sub/ünï ☃" } }],
  "a directory that was deleted with all that was in it": [
    { type: "DeleteFile", inputs: { path: "dir", recursive: true } },
  ],
  "a link that was deleted": [{ type: "DeleteFile", inputs: { path: "dangling" } }],
  "a file that was moved over another": [
    { type: "MoveFile", inputs: { from: "text", to: "windows", overwrite: true } },
    { type: "MoveFile", inputs: { from: "dir/link", to: "moved/link" } },
  ],
  "a directory that was moved, and changed before and after": [
    { type: "CreateFile", inputs: { path: "dir/before", content: "before" } },
    { type: "MoveFile", inputs: { from: "dir", to: "new/place" } },
    { type: "DeleteFile", inputs: { path: "new/place/binary" } },
    { type: "CreateFile", inputs: { path: "dir", content: "a file now" } },
  ],
  "a directory that was made and copied": [
    { type: "MakeDir", inputs: { path: "made/deep" } },
    { type: "MoveFile", inputs: { from: "dir/link", to: "made/link" } },
    { type: "CopyFile", inputs: { from: "dir", to: "made/copy", recursive: true } },
  ],
  "what came and went": [
    { type: "CreateFile", inputs: { path: "tmp", content: "x" } },
    { type: "DeleteFile", inputs: { path: "tmp" } },
  ],
  "a file in the place of a directory": [
    { type: "DeleteFile", inputs: { path: "dir", recursive: true } },
    { type: "CreateFile", inputs: { path: "dir", content: "a file now" } },
    { type: "DeleteFile", inputs: { path: "dangling" } },
    { type: "CreateFile", inputs: { path: "dangling/x", content: "in a directory" } },
  ],
};

describe.each(Object.entries(works))("restores %s", (_name, blocks) => {
  test("exactly, once, and again the other way", async () => {
    const { engine, differences } = prepare();
    const done = await succeed(engine, blocks);
    const after = takeSnapshot(engine.workspace);

    const undo = restoreBlocks(done.events);
    const undone = await succeed(engine, undo);
    expect(differences()).toEqual([]);

    // Where something was moved as a whole, the same paths stand for something else in between.
    if (undo.length === 1) {
      const again = await succeed(engine, undo);
      expect(again.events.filter(({ type }) => type === "file-changed")).toEqual([]);
    }
    if (restoreBlocks(undone.events).length === 0) return;

    const redone = await succeed(engine, restoreBlocks(undone.events));
    expect(compareSnapshots(after, takeSnapshot(engine.workspace))).toEqual([]);

    await succeed(engine, restoreBlocks(redone.events));
    expect(differences()).toEqual([]);
  });
});

test("what was not changed keeps its inode and its time", async () => {
  const { engine, at } = prepare();
  const identity = (path: string): unknown => {
    const { ino, mtimeNs } = lstatSync(at(path), { bigint: true });
    return { ino, mtimeNs };
  };
  const before = ["windows", "dir/binary", "dir/link", "dir/sub"].map(identity);
  const { events } = await succeed(engine, [{ type: "CreateFile", inputs: { path: "text", content: "new" } }]);
  await succeed(engine, restoreBlocks(events));
  expect(["windows", "dir/binary", "dir/link", "dir/sub"].map(identity)).toEqual(before);
});

test("where only the mode is another, the file itself stays", async () => {
  const { engine, at } = prepare();
  const bytes = readFileSync(at("text"));
  const state = (mode: number): string =>
    writeState({ kind: "file", mode, sha256: sha256Of(bytes), size: bytes.length });
  const { ino, mode } = statSync(at("text"));
  chmodSync(at("text"), 0o600);
  chmodSync(at("dir/sub"), 0o755);
  const files = [
    { path: "text", expect: state(0o600), restore: state(mode & 0o777) },
    { path: "dir/sub", expect: "directory 0755", restore: "directory 0700" },
    { path: "windows", expect: "file 0600 - -", restore: "file 0640 - -" },
  ];
  chmodSync(at("windows"), 0o600);
  const { outputs } = await runBlock(engine, "RestoreFiles", { files });
  expect(outputs).toEqual({ restored: 3, already: 0, conflicts: [] });
  expect(statSync(at("text"))).toMatchObject({ ino, mode });
  expect(statSync(at("dir/sub")).mode & 0o777).toBe(0o700);
  expect(statSync(at("windows")).mode & 0o777).toBe(0o640);
});

test("directories that their owner may not change are opened for it and closed again", async () => {
  const { engine, at, differences } = prepare();
  const before = { sub: readFileSync(at("dir/sub/ünï ☃")) };
  const { events } = await succeed(engine, [
    { type: "DeleteFile", inputs: { path: "dir/sub", recursive: true } },
    { type: "CreateFile", inputs: { path: "made/x", content: "x" } },
  ]);
  chmodSync(at("made"), 0o555);
  const files = restoreBlocks(events)[0]?.inputs.files as { path: string; restore: string }[];
  const closed = files.map((file) => (file.path === "dir/sub" ? { ...file, restore: "directory 0500" } : file));
  const { outputs } = await runBlock(engine, "RestoreFiles", { files: closed });
  expect(outputs).toMatchObject({ conflicts: [] });
  expect(existsSync(at("made"))).toBe(false);
  expect(statSync(at("dir/sub")).mode & 0o777).toBe(0o500);
  expect(readFileSync(at("dir/sub/ünï ☃"))).toEqual(before.sub);
  chmodSync(at("dir/sub"), 0o700);
  expect(differences()).toEqual([]);
});

describe("what can't be restored is named, and everything else is restored", () => {
  const sha256 = sha256Of(Buffer.from("never kept"));
  const gone = { path: "dangling", expect: "link nowhere", restore: "missing" };

  test.each([
    ["bytes that are not kept", { path: "new", expect: "missing", restore: `file 0644 ${sha256} 10` }, "not kept"],
    ["what is git's", { path: ".git/config", expect: "missing", restore: "directory 0755" }, "which only git itself"],
    ["workflows", { path: ".frond/x", expect: "missing", restore: "directory 0755" }, "where workflows are kept"],
    ["a path outside", { path: "../x", expect: "missing", restore: "directory 0755" }, "outside the workspace"],
    [
      "a path in what is no directory",
      { path: "text/x", expect: "missing", restore: "directory 0755" },
      "not a directory",
    ],
    ["a path through a link", { path: "dir/link/x", expect: "missing", restore: "link a" }, "not a directory"],
  ])("%s", async (_name, file, reason) => {
    const { engine, at } = prepare();
    const { metadata, outputs } = await runBlock(engine, "RestoreFiles", { files: [file, gone] });
    expect(metadata.outcome).toBe("failure");
    expect(outputs).toMatchObject({
      restored: 1,
      conflicts: [{ path: file.path, reason: expect.stringContaining(reason) }],
    });
    expect(lstatSync(at("dangling"), { throwIfNoEntry: false })).toBeUndefined();
  });

  test("a file that is too large to be kept", async () => {
    const { engine, at } = prepare();
    truncateSync(at("text"), 50_000_001);
    const large = {
      path: "text",
      expect: `file ${(statSync(at("text")).mode & 0o777).toString(8)} - 50000001`,
      restore: "missing",
    };
    const { outputs } = await runBlock(engine, "RestoreFiles", { files: [large, gone], on_conflict: "force" });
    expect(outputs).toMatchObject({
      restored: 1,
      conflicts: [{ path: "text", reason: expect.stringContaining("too large") }],
    });
    expect(statSync(at("text")).size).toBe(50_000_001);
  });
});

test("a large file that was moved goes back by itself", async () => {
  const { engine, at, differences } = prepare();
  truncateSync(at("empty"), 50_000_001);
  const { ino } = statSync(at("empty"));
  const { events } = await succeed(engine, [
    { type: "MoveFile", inputs: { from: "empty", to: "text", overwrite: true } },
  ]);
  await succeed(engine, restoreBlocks(events));
  expect(statSync(at("empty")).ino).toBe(ino);
  truncateSync(at("empty"), 0);
  expect(differences()).toEqual([]);
});

describe("what was moved as a whole", () => {
  async function move({ engine }: Ground): Promise<Outcome> {
    return succeed(engine, [{ type: "MoveFile", inputs: { from: "dir", to: "moved" } }]);
  }

  test("goes back with what was put into it since", async () => {
    const ground = prepare();
    const { events } = await move(ground);
    writeFileSync(ground.at("moved/mine"), "mine");
    await succeed(ground.engine, restoreBlocks(events));
    expect(readFileSync(ground.at("dir/mine"), "utf8")).toBe("mine");
    rmSync(ground.at("dir/mine"));
    expect(ground.differences()).toEqual([]);
  });

  test.each<[string, (at: Ground["at"]) => void, string]>([
    ["its place is taken", (at) => mkdirSync(at("dir")), "it can't go back to 'dir', which exists"],
    ["it is gone", (at) => rmSync(at("moved"), { recursive: true }), "it was deleted since"],
    ["it holds a repository", (at) => mkdirSync(at("moved/.git")), "which only git itself may change"],
  ])("stays if %s", async (_name, tamper, reason) => {
    const ground = prepare();
    const { events } = await move(ground);
    tamper(ground.at);
    const mine = takeSnapshot(ground.engine.workspace);
    const { state } = await ground.engine.run({ blocks: restoreBlocks(events) });
    expect(state.root.record.blocks.back0?.outputs.conflicts).toMatchObject([
      { path: "moved", reason: expect.stringContaining(reason) },
    ]);
    expect(compareSnapshots(mine, takeSnapshot(ground.engine.workspace))).toEqual([]);
  });
});

test("absolute paths outside the workspace need unsafe", async () => {
  const { engine } = prepare();
  const other = createTestEngine();
  const path = join(other.workspace, "made");
  const files = [{ path, expect: "missing", restore: "directory 0755" }];
  expect((await runBlock(engine, "RestoreFiles", { files })).outputs).toMatchObject({ restored: 0 });
  expect((await runBlock(engine, "RestoreFiles", { files, unsafe: true })).outputs).toMatchObject({ restored: 1 });
  expect(statSync(path).isDirectory()).toBe(true);
  renameSync(path, `${path}2`);
});

test("a state that is none is refused before anything runs", () => {
  const engine = createTestEngine();
  const files = [
    { path: "a", expect: "gone" satisfies string, restore: writeState({ kind: "missing" } as EntryState) },
  ];
  const { diagnostics } = engine.check({ blocks: [{ id: "it", type: "RestoreFiles", inputs: { files } }] });
  expect(JSON.stringify(diagnostics)).toContain("must be a state");
});

test("what the user may not change is named, and everything else is restored", async () => {
  const { engine, at } = prepare();
  const { events } = await succeed(engine, [
    { type: "CreateFile", inputs: { path: "closed/x", content: "x" } },
    { type: "CreateFile", inputs: { path: "unreadable", content: "x", mode: "600" } },
    { type: "CreateFile", inputs: { path: "made/x", content: "x" } },
    { type: "EditFile", inputs: { path: "text", content: "new" } },
  ]);
  const [undo] = restoreBlocks(events);
  const state = engine.engine.platform.stateDirectory;
  const own = ["text", "made", "made/x", "."].map(at);
  const kept = readdirSync(state, { recursive: true, encoding: "utf8" }).map((name) => join(state, name));
  await asOrdinaryUser([...own, state, ...kept], async () => {
    const { metadata, outputs } = await runBlock(engine, "RestoreFiles", undo?.inputs ?? {});
    expect(metadata).toMatchObject({ outcome: "failure", message: expect.stringContaining("permission denied") });
    const conflicts = outputs.conflicts as { path: string }[];
    expect(conflicts.map(({ path }) => path).toSorted()).toEqual(["closed", "closed/x", "unreadable"]);
  });
  expect(existsSync(at("made"))).toBe(false);
  expect(existsSync(at("closed/x"))).toBe(true);
  expect(existsSync(at("unreadable"))).toBe(true);
  expect(readFileSync(at("text"), "utf8")).toBe("one\ntwo\nthree\n");
});

test("a restore that takes long says once a second how far it is, and one that does not says nothing", async () => {
  const names = ["one", "two", "three"];
  const made = names.map((path) => ({ id: path, type: "CreateFile", inputs: { path, content: path } }));
  const restoreAll = async (clock: Clock): Promise<string> => {
    const engine = createTestEngine({ clock });
    const { events } = await engine.run({ blocks: made });
    let said = "";
    const onOutput = (_: string, text: string): void => {
      said += text;
    };
    await engine.run({ blocks: restoreBlocks(events) }, { onOutput });
    expect(readdirSync(engine.workspace)).toEqual([]);
    return said;
  };
  let ms = 0;
  const slow = { now: () => new Date(), monotonic: () => (ms += 1_000) };
  const lines = ["1 of 3 paths looked at", "2 of 3 paths looked at", "1 of 3 changes made", "2 of 3 changes made", ""];
  expect(await restoreAll(slow)).toBe(lines.join("\n"));
  expect(await restoreAll({ now: () => new Date(), monotonic: () => 0 })).toBe("");
});
