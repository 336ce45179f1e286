import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestEngine, type Written } from "../rig/engine.ts";
import { takeBack } from "./take-back.ts";
import { compareSnapshots, takeSnapshot } from "./tree-snapshot.ts";

const create = (id: string, path: string, content: string, more: object = {}): object => ({
  id,
  type: "CreateFile",
  inputs: { path, content },
  ...more,
});
const move = (id: string, from: string, to: string, more: object = {}): object => ({
  id,
  type: "MoveFile",
  inputs: { from, to },
  ...more,
});

/** A directory that is moved on and on, while what is in it, and where it was, is changed. */
const moving: Written = {
  blocks: [
    create("first", "d/a", "changed\n"),
    move("away", "d", "e", { depends_on: ["first"] }),
    create("inside", "e/b", "made\n", { depends_on: ["away"] }),
    create("instead", "d/other", "in its place\n", { depends_on: ["inside"] }),
    move("further", "e", "f/g", { depends_on: ["instead"] }),
    create("last", "f/g/a", "changed again\n", { depends_on: ["further"] }),
    create("beside", "new", "new\n", { depends_on: ["last"] }),
    create("again", "new", "newer\n", { depends_on: ["beside"] }),
  ],
};

test("a run that moved directories about is taken back once, however often it is asked for", async () => {
  const engine = createTestEngine();
  mkdirSync(join(engine.workspace, "d"));
  writeFileSync(join(engine.workspace, "d/a"), "as it was\n");
  const before = takeSnapshot(engine.workspace);
  const run = await engine.start(moving);
  expect((await run.settled).response.status).toBe("success");
  expect(await takeBack(engine, run.runId)).toMatchObject({ conflicts: [], runId: expect.any(String) });
  expect(compareSnapshots(before, takeSnapshot(engine.workspace))).toEqual([]);
  const again = await takeBack(engine, run.runId);
  expect(again).toEqual({ conflicts: [] });
  expect(compareSnapshots(before, takeSnapshot(engine.workspace))).toEqual([]);
  // What somebody does afterwards is nothing of the run's.
  rmSync(join(engine.workspace, "d/a"));
  expect(await takeBack(engine, run.runId)).toEqual({ conflicts: [] });
  expect([...takeSnapshot(engine.workspace).keys()]).toEqual(["d"]);
});

test("after a rollback to a commit point, what lies before it can still be undone", async () => {
  const engine = createTestEngine();
  const before = takeSnapshot(engine.workspace);
  const failing = { id: "fail", type: "DeleteFile", inputs: { path: "nothing" }, depends_on: ["after"] };
  const run = await engine.start({
    on_failure: "rollback",
    blocks: [
      create("kept", "kept", "kept\n", { commit_point: true }),
      create("after", "after", "after\n", { depends_on: ["kept"] }),
      failing,
    ],
  });
  await run.settled;
  expect([...takeSnapshot(engine.workspace).keys()]).toEqual(["kept"]);
  expect(await takeBack(engine, run.runId)).toMatchObject({ conflicts: [] });
  expect(compareSnapshots(before, takeSnapshot(engine.workspace))).toEqual([]);
});
