import { mkdirSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RecordedChange } from "../../src/changes/recorded-change.ts";
import type { RunEvent } from "../../src/engine/events.ts";
import { createTestEngine } from "../rig/engine.ts";
import { readTree } from "../rig/file-tree.ts";
import { createMachine, type TestMachine } from "../rig/machine.ts";
import { waitFor } from "../rig/wait-for.ts";

const blocks = [
  { type: "CreateFile", inputs: { path: "new/deep/file", content: "made" } },
  { type: "CreateFile", inputs: { path: "new", content: "made", overwrite: false } },
  { type: "EditFile", inputs: { path: "dir/a", operations: [{ type: "insert_lines", content: "more" }] } },
  { type: "DeleteFile", inputs: { path: "dir", recursive: true } },
  { type: "MoveFile", inputs: { from: "dir/a", to: "new/deep/a" } },
  { type: "MoveFile", inputs: { from: "dir/a", to: "file", overwrite: true } },
  { type: "CopyFile", inputs: { from: "dir", to: "new/copy", recursive: true } },
  { type: "MakeDir", inputs: { path: "new/deep" } },
];

function prepare(): TestMachine {
  const machine = createMachine();
  mkdirSync(join(machine.workspace, "dir/sub"), { recursive: true });
  for (const path of ["file", "dir/a", "dir/b", "dir/sub/c"]) writeFileSync(join(machine.workspace, path), `${path}\n`);
  return machine;
}

/** How far an engine gets before it dies. */
const moments = {
  "before anything is announced": { doom: "before-append", when: "block-started" },
  "before anything is changed": { doom: "after-append", when: "block-started" },
  "after the first change": { doom: "after-append", when: "block-started" },
  "before it could tell that all is done": { doom: "before-append", when: "file-changed" },
} as const;

describe.each(blocks)("$type $inputs", ({ type, inputs }) => {
  test.each(Object.keys(moments) as (keyof typeof moments)[])(
    "ends the same when Frond is killed %s",
    async (moment) => {
      const workflow = { blocks: [{ id: "it", type, inputs }] };
      const undisturbed = prepare();
      const expected = await createTestEngine({ machine: undisturbed }).run(workflow);
      expect(expected.response.status).toBe("success");

      const machine = prepare();
      const { doom, when } = moments[moment];
      const first = createTestEngine({ machine });
      const { runId } = await first.start(workflow, {
        onEvents(events) {
          if (events.some((event) => event.type === when)) first.process.doom(doom);
        },
      });
      await waitFor("the process to die", () => first.process.isDead);
      if (moment === "after the first change") makeFirst(await machine.journal.read(runId), machine.workspace);

      const { response, state } = await (await createTestEngine({ machine }).takeOver(runId)).settled;
      expect(response.status, JSON.stringify(response)).toBe("success");
      expect(readTree(machine.workspace)).toEqual(readTree(undisturbed.workspace));
      const same = JSON.stringify(expected.state.root.record.blocks.it?.outputs);
      expect(JSON.stringify(state.root.record.blocks.it?.outputs)).toBe(
        same.replaceAll(undisturbed.workspace, machine.workspace),
      );
    },
  );
});

/** The first of several changes, by the means of somebody else. */
function makeFirst(events: readonly RunEvent[], workspace: string): void {
  const announced = events.find((event) => event.type === "file-changed");
  if (announced?.type !== "file-changed") throw new Error("No file was announced to change.");
  const [change, ...others] = announced.changes as [RecordedChange, ...RecordedChange[]];
  if (others.length === 0) return;
  if (change.kind === "make-directory") mkdirSync(join(workspace, change.at.path), { mode: change.mode });
  else if (change.kind !== "remove") throw new Error(`${change.kind} is never the first of several.`);
  else if (change.before.kind === "directory") rmdirSync(join(workspace, change.at.path));
  else unlinkSync(join(workspace, change.at.path));
}
