import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";
import { createRepository } from "../rig/git-repository.ts";
import { takeBack } from "./take-back.ts";
import { compareSnapshots, takeSnapshot } from "./tree-snapshot.ts";

function move(id: string, from: string, to: string, waitsFor: readonly string[] = []): object {
  return { id, type: "MoveFile", inputs: { from, to }, depends_on: waitsFor };
}

function remove(id: string, path: string, waitsFor: readonly string[]): object {
  return { id, type: "DeleteFile", inputs: { path, recursive: true }, depends_on: waitsFor };
}

function observed(id: string, command: string, waitsFor: readonly string[] = []): object {
  return { id, type: "Shell", effects: "observe", inputs: { command }, depends_on: waitsFor };
}

function until(file: string): string {
  return `until [ -e ${file} ]; do sleep 0.01; done`;
}

/** Below a directory that git ignores, looking tells nothing of what is moved. */
describe.each(["seen", "ignored"])("what is %s by who looks", (top) => {
  const [a, b, c, n] = ["a", "n/b", "c", "n"].map((path) => `${top}/${path}`) as [string, string, string, string];

  test.each<[string, readonly object[]]>([
    ["one move, seen from before until after", [observed("o", until(c)), move("m", a, c)]],
    [
      "two moves, seen from between until after",
      [
        move("m1", a, b),
        observed("o", `touch go; ${until(c)}`, ["m1"]),
        observed("w", until("go"), ["m1"]),
        move("m2", b, c, ["w"]),
      ],
    ],
    ["two moves, seen from before until between", [observed("o", until(b)), move("m1", a, b), move("m2", b, c, ["o"])]],
    [
      "two moves, of which one command sees both and another the second",
      [observed("o1", until(c)), move("m1", a, b), observed("o2", until(c), ["m1"]), move("m2", b, c, ["m1"])],
    ],
    [
      "what was moved away before the rest is removed",
      [observed("o", until(c)), move("m1", a, b), move("m2", b, c, ["m1"]), remove("d", n, ["m2"])],
    ],
    [
      "what was moved and then removed",
      [observed("o", until("gone")), move("m", a, b), remove("d", n, ["m"]), observed("g", "touch gone", ["d"])],
    ],
  ])("a directory that is moved while a command is observed goes back, once: %s", async (_name, blocks) => {
    const engine = createTestEngine();
    mkdirSync(join(engine.workspace, a), { recursive: true });
    writeFileSync(join(engine.workspace, a, "f"), "1\n");
    writeFileSync(join(engine.workspace, ".gitignore"), "ignored/\n");
    createRepository(engine.workspace);
    const before = takeSnapshot(engine.workspace);
    const run = await engine.start({ blocks });
    await run.settled;
    for (const _ of ["once", "again"]) {
      const { problem } = await takeBack(engine, run.runId);
      expect(problem).toBeUndefined();
      expect(compareSnapshots(before, takeSnapshot(engine.workspace))).toEqual([]);
    }
  });
});

test("a directory that was moved and then removed goes back to where something else has been put since", async () => {
  const engine = createTestEngine();
  mkdirSync(join(engine.workspace, "a"));
  writeFileSync(join(engine.workspace, "a", "f"), "1\n");
  const before = takeSnapshot(engine.workspace);
  const run = await engine.start({
    blocks: [move("m", "a", "n/b"), remove("d", "n", ["m"]), observed("o", "echo other > a", ["d"])],
  });
  await run.settled;
  expect((await takeBack(engine, run.runId)).problem).toBeUndefined();
  expect(compareSnapshots(before, takeSnapshot(engine.workspace))).toEqual([]);
});

test("what a command changes in a directory while that is moved comes back with it", async () => {
  const engine = createTestEngine();
  mkdirSync(join(engine.workspace, "a"));
  for (const name of ["f", "g"]) writeFileSync(join(engine.workspace, "a", name), "1\n");
  const before = takeSnapshot(engine.workspace);
  const command = `${until("c")}; echo more >> c/f; rm c/g; echo new > c/h`;
  const run = await engine.start({ blocks: [observed("o", command), move("m", "a", "c")] });
  await run.settled;
  expect((await takeBack(engine, run.runId)).problem).toBeUndefined();
  expect(compareSnapshots(before, takeSnapshot(engine.workspace))).toEqual([]);
});
