import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createMemoryJournal } from "../../src/journal/memory/memory-journal.ts";
import { createTestEngine } from "../rig/engine.ts";
import { createMachine } from "../rig/machine.ts";
import { memoryDirectory } from "../rig/memory-directory.ts";
import { longTimeout } from "../rig/scale.ts";
import { takeBack } from "./take-back.ts";
import { compareSnapshots, takeSnapshot } from "./tree-snapshot.ts";

test("what blocks move, write and remove while commands are being observed is taken back all the same", {
  timeout: longTimeout,
}, async () => {
  const engine = createTestEngine({ machine: createMachine(createMemoryJournal(), memoryDirectory()) });
  const count = 40;
  const names = Array.from({ length: count }, (_, index) => `d${index}`);
  for (const name of names) {
    mkdirSync(join(engine.workspace, name));
    for (let file = 0; file < 5; file++) writeFileSync(join(engine.workspace, name, `f${file}`), `${name} ${file}\n`);
  }
  const before = takeSnapshot(engine.workspace);
  const each = { for_each: names, for_each_mode: "sequential" };
  const run = await engine.start({
    blocks: [
      { id: "moving", type: "MoveFile", inputs: { from: "${each.value}", to: "new/${each.value}" }, ...each },
      { id: "writing", type: "CreateFile", inputs: { path: "made/${each.value}/x", content: "x" }, ...each },
      {
        id: "observed",
        type: "Shell",
        inputs: { command: 'echo "${each.value}" > by-command-"${each.value}"' },
        effects: "observe",
        for_each: names.slice(0, 12),
        max_parallel: 3,
      },
    ],
  });
  expect((await run.settled).response.status).toBe("success");
  expect(await takeBack(engine, run.runId)).toMatchObject({ conflicts: [] });
  expect(compareSnapshots(before, takeSnapshot(engine.workspace))).toEqual([]);
});
