import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RunLost } from "../../src/runs/driven-run.ts";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { readTree } from "../rig/file-tree.ts";
import { createMachine } from "../rig/machine.ts";
import { identity, makeSparse, untilOpened } from "../rig/sparse-file.ts";
import { waitFor } from "../rig/wait-for.ts";
import { announcesChanges } from "./file-ground.ts";

const gigabyte = 1_000_000_000;

/** Every block that has to read what it replaces or removes, whatever its size. */
const replacing = [
  { type: "CreateFile", inputs: { path: "big", content: "new" } },
  { type: "RenderTemplate", inputs: { template: "new", output_path: "big" } },
  { type: "WriteJSONState", inputs: { path: "big", data: { new: true } } },
  { type: "DeleteFile", inputs: { path: "big" } },
  { type: "MoveFile", inputs: { from: "small", to: "big", overwrite: true } },
  { type: "CopyFile", inputs: { from: "small", to: "big", overwrite: true } },
  { type: "CopyFile", inputs: { from: "tree", to: "copy", recursive: true, overwrite: true } },
];

function prepare(bytes: number): { readonly engine: TestEngine; readonly big: string; files(): readonly string[] } {
  const engine = createTestEngine();
  const at = (path: string): string => join(engine.workspace, path);
  for (const directory of ["tree", "copy"]) mkdirSync(at(directory));
  for (const path of ["small", "tree/big", "tree/other"]) writeFileSync(at(path), "small");
  for (const path of ["big", "copy/big"]) makeSparse(at(path), bytes);
  return { engine, big: at("big"), files: () => readdirSync(engine.workspace, { recursive: true }).map(String).sort() };
}

describe.runIf(process.platform === "linux")("a file of 100 GB", () => {
  test.each(replacing)(
    "$type $inputs is cancelled while it reads it, and changes nothing",
    async ({ type, inputs }) => {
      const { engine, big, files } = prepare(100 * gigabyte);
      const [read, before] = [
        type === "CopyFile" && inputs.to === "copy" ? join(engine.workspace, "copy/big") : big,
        files(),
      ];
      const untouched = identity(read);
      const run = await engine.start({ blocks: [{ id: "it", type, inputs }] });
      await untilOpened(read);
      await run.cancel();
      const { state, events } = await run.settled;
      // To read it takes minutes, and of one that does not stop for so long another message tells.
      expect(state.root.record.blocks.it?.metadata).toMatchObject({ status: "failed", message: "cancelled" });
      expect(announcesChanges(events)).toBe(false);
      expect(files()).toEqual(before);
      expect(identity(read)).toEqual(untouched);
    },
  );

  test.each([
    { type: "ReadFile", inputs: { path: "big" } },
    { type: "ReadFile", inputs: { path: "big", max_size_mb: 100 } },
    { type: "ReadJSONState", inputs: { path: "big" } },
    { type: "MergeJSONState", inputs: { path: "big", updates: { a: 1 } } },
    { type: "EditFile", inputs: { path: "big", content: "new" } },
    { type: "RenderTemplate", inputs: { template_path: "big" } },
    { type: "CopyFile", inputs: { from: "big", to: "elsewhere" } },
    { type: "CopyFile", inputs: { from: "copy", to: "elsewhere", recursive: true } },
    { type: "DeleteFile", inputs: { path: "copy", recursive: true } },
    { type: "Shell", inputs: { command: "true" }, outputs: { read: { type: "str", path: "big" } } },
  ])("$type $inputs refuses it without reading all of it", async (block) => {
    const { engine, files } = prepare(100 * gigabyte);
    const before = files();
    const { state } = await engine.run({ blocks: [{ id: "it", ...block }] });
    const isCrash = block.type === "Shell";
    expect(state.root.record.blocks.it?.metadata).toMatchObject(
      isCrash ? { status: "failed", outcome: "n/a" } : { status: "completed", outcome: "failure" },
    );
    expect(state.root.record.blocks.it?.metadata.message).toMatch(/larger than|more than/);
    expect(files().filter((path) => !path.startsWith(".frond"))).toEqual(before);
  });
});

test("a block that has timed out while it read a large file leaves it as it is", async () => {
  // It could be read in the time that a block gets to stop.
  const { engine, big, files } = prepare(2 * gigabyte);
  const [untouched, before] = [identity(big), files()];
  const block = { id: "it", type: "CreateFile", inputs: { path: "big", content: "new" }, timeout: "200ms" };
  const { state } = await engine.run({ blocks: [block] });
  expect(state.root.record.blocks.it?.metadata).toMatchObject({
    status: "failed",
    message: "ran longer than its limit of 200ms",
  });
  expect(identity(big)).toEqual(untouched);
  expect(files()).toEqual(before);
});

test("who waits for a file that another block works on is cancelled without waiting for it", async () => {
  const { engine, big } = prepare(100 * gigabyte);
  const workflow = { blocks: [{ id: "it", type: "DeleteFile", inputs: { path: "big" } }] };
  const first = await engine.start(workflow);
  await untilOpened(big);
  const second = await engine.start(workflow);
  await waitFor("its block to begin", () => second.events.some(({ type }) => type === "block-started"));
  await second.cancel();
  expect((await second.settled).state.root.record.blocks.it?.metadata.message).toBe("cancelled");
  expect(first.state.finished).toBeUndefined();
  await first.cancel();
  await first.settled;
});

const changing = [
  { type: "CreateFile", inputs: { path: "file", content: "new" }, count: 1 },
  { type: "CreateFile", inputs: { path: "new/deep/file", content: "new" }, count: 3 },
  { type: "EditFile", inputs: { path: "file", operations: [{ type: "insert_lines", content: "more" }] }, count: 1 },
  { type: "DeleteFile", inputs: { path: "dir", recursive: true }, count: 3 },
  { type: "MoveFile", inputs: { from: "dir", to: "moved" }, count: 1 },
  { type: "CopyFile", inputs: { from: "dir", to: "copied", recursive: true }, count: 3 },
  { type: "MakeDir", inputs: { path: "new/deep" }, count: 2 },
  { type: "WriteJSONState", inputs: { path: "file", data: {} }, count: 1 },
];

describe.each(changing)("$type $inputs", ({ type, inputs, count }) => {
  const workflow = { blocks: [{ id: "it", type, inputs }] };

  function layOut(workspace: string): void {
    mkdirSync(join(workspace, "dir"));
    for (const path of ["file", "dir/a", "dir/b"]) writeFileSync(join(workspace, path), `${path}\n`);
  }

  test("changes nothing when it is cancelled in the moment that its changes are announced, and says so", async () => {
    const engine = createTestEngine();
    layOut(engine.workspace);
    const before = readTree(engine.workspace);
    const cancels: Promise<void>[] = [];
    const run = await engine.start(workflow, {
      onEvents(events) {
        if (announcesChanges(events)) cancels.push(run.cancel());
      },
    });
    const { state, events } = await run.settled;
    await Promise.all(cancels);
    expect(announcesChanges(events)).toBe(true);
    expect(state.root.record.blocks.it?.metadata).toMatchObject({
      status: "failed",
      message: `cancelled; 0 of ${count} file changes were made`,
    });
    expect(readTree(engine.workspace)).toEqual(before);
  });

  test("changes nothing when another process takes the run in that moment, and is then made by it", async () => {
    const machine = createMachine();
    const engine = createTestEngine({ machine });
    layOut(engine.workspace);
    const before = readTree(engine.workspace);
    const rival = createTestEngine({ machine });
    const run = await engine.start(workflow, {
      onEvents(events) {
        // The journal in memory does it at once.
        if (announcesChanges(events)) void machine.journal.claim(run.runId, 1, rival.process.owners.self);
      },
    });
    await expect(run.settled).rejects.toBeInstanceOf(RunLost);
    expect(readTree(engine.workspace)).toEqual(before);

    machine.presumeGone(rival.process);
    const { response } = await (await createTestEngine({ machine }).takeOver(run.runId)).settled;
    expect(response.status).toBe("success");
    expect(readTree(engine.workspace)).not.toEqual(before);
  });
});
