import { mkdtempSync, readFileSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { RecordedChange } from "../../src/changes/recorded-change.ts";
import type { RunEvent } from "../../src/engine/events.ts";
import { JournaledFiles } from "../../src/engine/journaled-files.ts";
import { createBlobs } from "../../src/platform/files/blobs.ts";
import { createFileSystem } from "../../src/platform/files/file-system.ts";
import { createMemoryBlobs } from "../../src/platform/files/memory-blobs.ts";
import { KeyedLocks } from "../../src/util/keyed-locks.ts";
import { mountMemory } from "../journal/small-disk.ts";
import { createTestEngine } from "../rig/engine.ts";
import { readTree } from "../rig/file-tree.ts";
import { keepIn } from "../rig/make-changes.ts";

function changesOf(events: readonly RunEvent[]): readonly RecordedChange[] {
  return events.flatMap((event) => (event.type === "file-changed" ? event.changes : []));
}

test("what a block replaces and writes is in the blobs of its run, and not in its events", async () => {
  const engine = createTestEngine();
  writeFileSync(join(engine.workspace, "a"), "what was there before");
  const { response, events } = await engine.run({
    blocks: [{ id: "a", type: "CreateFile", inputs: { path: "a", content: "what is there now" } }],
  });
  const { blobs } = engine.engine.platform;
  const [change] = changesOf(events);
  if (change?.kind !== "write" || change.before.kind !== "file") throw new Error("Nothing was replaced.");
  expect([change.before.kept, change.after.kept]).toEqual([true, true]);
  expect(Buffer.from((await blobs.get(change.before.sha256)) ?? []).toString()).toBe("what was there before");
  expect(Buffer.from((await blobs.get(change.after.sha256)) ?? []).toString()).toBe("what is there now");
  expect(blobs.runs()).toEqual([response.run_id]);
  expect(JSON.stringify(change)).not.toContain(Buffer.from("what was there before").toString("base64"));
});

test("a file that is moved is in the blobs too", async () => {
  const engine = createTestEngine();
  writeFileSync(join(engine.workspace, "a"), "moved");
  const { events } = await engine.run({ blocks: [{ id: "a", type: "MoveFile", inputs: { from: "a", to: "b" } }] });
  const [change] = changesOf(events);
  expect(change).toMatchObject({ kind: "rename", moved: { kind: "file", size: 5, kept: true } });
});

test("beyond what a run may keep files are changed, and it is on record that they were not kept", async () => {
  const engine = createTestEngine({ blobs: createMemoryBlobs(10) });
  for (const name of ["a", "b"]) writeFileSync(join(engine.workspace, name), `before ${name}`);
  const write = (path: string, depends: readonly string[]): object => ({
    id: path,
    type: "CreateFile",
    depends_on: depends,
    inputs: { path, content: "after the change" },
  });
  const { response, events } = await engine.run({ blocks: [write("a", []), write("b", ["a"])] });
  expect(response.status).toBe("success");
  expect(readTree(engine.workspace)).toEqual({ a: "after the change", b: "after the change" });
  const kept = changesOf(events).map((change) => change.kind === "write" && "kept" in change.before);
  expect(kept).toEqual([true, false]);
});

test("nothing is changed where the disk that undo needs is full, and the block says what to do", async (context) => {
  const disk = mountMemory(context);
  const blobs = createBlobs(join(disk.directory, "blobs"), { mostBytes: 1e9 });
  const engine = createTestEngine({ blobs });
  writeFileSync(join(engine.workspace, "a"), Buffer.alloc(1_000_000, "a"));
  const workflow = { blocks: [{ id: "a", type: "CreateFile", inputs: { path: "a", content: "new" } }] };
  disk.fill(100_000);
  const { response, events } = await engine.run(workflow);
  expect(response.status).toBe("failure");
  expect(response.blocks?.a?.metadata).toMatchObject({
    status: "completed",
    outcome: "failure",
    message: expect.stringMatching(/^'a' is left as it is. What undo needs .* Make room there/),
  });
  expect(changesOf(events)).toEqual([]);
  expect(readFileSync(join(engine.workspace, "a"), "utf8")).toBe("a".repeat(1_000_000));
  disk.empty();
  expect((await engine.run(workflow)).response.status).toBe("success");
});

test("where undo was promised, nothing is changed or announced if one of the files can't be kept", async () => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "frond-kept-")));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  writeFileSync(join(workspace, "small"), "small");
  writeFileSync(join(workspace, "large"), "");
  truncateSync(join(workspace, "large"), 50_000_001);
  const files = new JournaledFiles({
    ...keepIn(createMemoryBlobs()),
    promisesUndo: true,
    runId: "run_1",
    fileSystem: createFileSystem(),
    signal: new AbortController().signal,
    locks: new KeyedLocks(),
    workspace,
    stateDirectory: "/nowhere",
    recall: async () => undefined,
    announce: () => Promise.reject(new Error("It was announced.")),
    confirmHeld: async () => {},
  });
  const remove = (path: string): { readonly kind: "remove"; readonly at: { root: string; path: string } } => ({
    kind: "remove",
    at: { root: workspace, path },
  });
  expect(await files.change([remove("small"), remove("large")], {})).toEqual({
    kind: "unusable",
    message: "'large' is left as it is. It is larger than 50 MB, so undo could not put it back.",
  });
  expect(Object.keys(readTree(workspace))).toEqual(["large", "small"]);
});
