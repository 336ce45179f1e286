import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";
import { createRepository } from "../rig/git-repository.ts";
import { takeBack } from "./take-back.ts";
import { compareSnapshots, takeSnapshot } from "./tree-snapshot.ts";

function shell(id: string, effects: string, command: string, waitsFor: readonly string[] = []): object {
  return { id, type: "Shell", effects, inputs: { command }, depends_on: waitsFor };
}

const untilMade = "until [ -e passing ]; do sleep 0.01; done";
const untilGone = "while [ -e passing ]; do sleep 0.01; done";

/** A command makes a file that is gone when it ends; whoever meets it meanwhile must not take it for what was there before. */
test.each<[string, readonly object[]]>([
  [
    "another command that is observed",
    [
      shell("makes", "observe", "touch passing; until [ -e met ]; do sleep 0.01; done; rm passing"),
      shell("waits", "none", untilMade),
      shell("meets", "observe", `touch met; ${untilGone}`, ["waits"]),
    ],
  ],
  [
    "a block that removes it",
    [
      shell("makes", "observe", `touch passing; ${untilGone}`),
      shell("waits", "none", untilMade),
      { id: "removes", type: "DeleteFile", inputs: { path: "passing" }, depends_on: ["waits"] },
    ],
  ],
])("a file that came and went while a command was observed does not come back: met by %s", async (_name, blocks) => {
  const engine = createTestEngine();
  writeFileSync(join(engine.workspace, "f"), "1\n");
  const before = takeSnapshot(engine.workspace);
  const run = await engine.start({ blocks });
  expect((await run.settled).response.status).toBe("success");
  for (const _ of ["once", "again"]) {
    expect((await takeBack(engine, run.runId)).problem).toBeUndefined();
    expect(compareSnapshots(before, takeSnapshot(engine.workspace))).toEqual([]);
  }
});

test("a file that a command changed and changed back is as git had it, although another command met it in between", async () => {
  const engine = createTestEngine();
  writeFileSync(join(engine.workspace, "f"), "1\n");
  createRepository(engine.workspace);
  const before = takeSnapshot(engine.workspace);
  const run = await engine.start({
    blocks: [
      shell("changes", "observe", "echo 2 > f; until [ -e met ]; do sleep 0.01; done; echo 1 > f; touch back"),
      shell("waits", "none", "until grep -q 2 f; do sleep 0.01; done"),
      shell("meets", "observe", "touch met; until [ -e back ]; do sleep 0.01; done", ["waits"]),
    ],
  });
  expect((await run.settled).response.status).toBe("success");
  expect((await takeBack(engine, run.runId)).problem).toBeUndefined();
  expect(compareSnapshots(before, takeSnapshot(engine.workspace))).toEqual([]);
});

test("a directory that was removed and made anew has its mode again", async () => {
  const engine = createTestEngine();
  mkdirSync(join(engine.workspace, "d"), { mode: 0o700 });
  const before = takeSnapshot(engine.workspace);
  const run = await engine.start({
    blocks: [
      { id: "remove", type: "DeleteFile", inputs: { path: "d", recursive: true } },
      { id: "make", type: "CreateFile", inputs: { path: "d/x", content: "" }, depends_on: ["remove"] },
    ],
  });
  await run.settled;
  expect((await takeBack(engine, run.runId)).problem).toBeUndefined();
  expect(compareSnapshots(before, takeSnapshot(engine.workspace))).toEqual([]);
});
