import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { FileChange } from "../../src/block/block-files.ts";
import { applyChange } from "../../src/changes/apply-change.ts";
import type { RecordedChange } from "../../src/changes/recorded-change.ts";
import type { RunEvent } from "../../src/engine/events.ts";
import { createFileSystem } from "../../src/platform/files/file-system.ts";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { createMachine, type TestMachine } from "../rig/machine.ts";
import { restoreBlocks } from "../rig/restore-blocks.ts";
import { waitFor } from "../rig/wait-for.ts";
import { compareSnapshots, takeSnapshot } from "../undo/tree-snapshot.ts";

function prepare(): TestMachine {
  const machine = createMachine();
  const at = (path: string): string => join(machine.workspace, path);
  mkdirSync(at("dir/sub"), { recursive: true });
  writeFileSync(at("text"), "one\ntwo\nthree\n");
  writeFileSync(at("dir/a"), "a");
  writeFileSync(at("dir/sub/b"), "b");
  symlinkSync("text", at("link"));
  chmodSync(at("dir/sub"), 0o500);
  return machine;
}

/** What changes every kind of thing into every other. */
const works: Readonly<Record<string, readonly object[]>> = {
  "edited, made and deleted": [
    { type: "CreateFile", inputs: { path: "text", content: "ONE\ntwo\nthree\n", mode: "600" } },
    { type: "CreateFile", inputs: { path: "new/deep/x", content: "x" } },
    { type: "DeleteFile", inputs: { path: "dir", recursive: true } },
  ],
  "replaced by another kind": [
    { type: "DeleteFile", inputs: { path: "dir", recursive: true } },
    { type: "CreateFile", inputs: { path: "dir", content: "a file" } },
    { type: "DeleteFile", inputs: { path: "link" } },
    { type: "CreateFile", inputs: { path: "link/x", content: "in a directory" } },
  ],
  moved: [{ type: "MoveFile", inputs: { from: "dir", to: "new/place" } }],
};

async function change(engine: TestEngine, blocks: readonly object[]): Promise<readonly RunEvent[]> {
  const chained = blocks.map((block, index) => ({
    id: `b${index}`,
    depends_on: index ? [`b${index - 1}`] : [],
    ...block,
  }));
  const { response, events } = await engine.run({ blocks: chained });
  expect(response.status, JSON.stringify(response)).toBe("success");
  return events;
}

/** Makes the first changes that were announced, as an engine does that is killed in their midst. */
async function makeFirst(engine: TestEngine, changes: readonly RecordedChange[], count: number): Promise<void> {
  const files = createFileSystem();
  for (const recorded of changes.slice(0, count)) {
    const bytes = recorded.kind === "write" ? await engine.engine.platform.blobs.get(recorded.after.sha256) : undefined;
    const change = { ...recorded, ...(bytes === undefined ? {} : { bytes }) } as unknown as FileChange;
    expect(await applyChange(change, recorded, files)).toBeUndefined();
  }
}

/** Starts to take back what was done, is killed when that is announced, and gives what was. */
async function die(machine: TestMachine, events: readonly RunEvent[], rule: string): Promise<string> {
  const engine = createTestEngine({ machine });
  const { runId } = await engine.start(
    { blocks: restoreBlocks(events, { on_conflict: rule }) },
    {
      onEvents(told) {
        if (told.some(({ type }) => type === "block-started")) engine.process.doom("after-append");
      },
    },
  );
  await waitFor("the process to die", () => engine.process.isDead);
  return runId;
}

async function announcedIn(machine: TestMachine, runId: string): Promise<readonly RecordedChange[]> {
  const events = await machine.journal.read(runId);
  return events.flatMap((event) => (event.type === "file-changed" ? event.changes : []));
}

describe.each(Object.entries(works))("what was %s", (_name, blocks) => {
  test("is restored whenever Frond is killed", async () => {
    const machine = prepare();
    const before = takeSnapshot(machine.workspace);
    const engine = createTestEngine({ machine });
    const done = await change(engine, blocks);
    let total = 1;
    for (let made = 0; made <= total; made++) {
      const runId = await die(machine, done, "keep");
      const announced = await announcedIn(machine, runId);
      total = announced.length;
      await makeFirst(engine, announced, made);
      const { response, events } = await (await createTestEngine({ machine }).takeOver(runId)).settled;
      expect(response.status, `${made} of ${total}: ${JSON.stringify(response)}`).toBe("success");
      expect(compareSnapshots(before, takeSnapshot(machine.workspace)), `${made} of ${total}`).toEqual([]);
      // The way back, also of what two processes have done.
      const redo = await engine.run({ blocks: restoreBlocks(events) });
      expect(redo.response.status, `${made} of ${total}: ${JSON.stringify(redo.response)}`).toBe("success");
    }
    expect(total).toBeGreaterThan(0);
  });
});

test("conflicts are a failure also for the one who goes on when everything else is restored", async () => {
  const machine = prepare();
  const engine = createTestEngine({ machine });
  const done = await change(engine, works["edited, made and deleted"] as readonly object[]);
  writeFileSync(join(machine.workspace, "text"), "mine");
  const runId = await die(machine, done, "keep");
  const announced = await announcedIn(machine, runId);
  await makeFirst(engine, announced, announced.length);
  const { response, state } = await (await createTestEngine({ machine }).takeOver(runId)).settled;
  expect(response.status).toBe("failure");
  expect(state.root.record.blocks.back0?.outputs.conflicts).toMatchObject([{ path: "text" }]);
});

test("nobody is asked when somebody else has changed files while Frond was gone", async () => {
  const machine = prepare();
  const engine = createTestEngine({ machine });
  const done = await change(engine, works["edited, made and deleted"] as readonly object[]);
  const runId = await die(machine, done, "keep");
  await makeFirst(engine, await announcedIn(machine, runId), 1);
  writeFileSync(join(machine.workspace, "text"), "mine");
  const { response, state } = await (await createTestEngine({ machine }).takeOver(runId)).settled;
  expect(response.status).toBe("failure");
  expect(state.root.record.blocks.back0?.outputs.conflicts).toMatchObject([{ path: "text" }]);
});
