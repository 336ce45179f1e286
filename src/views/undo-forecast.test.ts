import { expect, test } from "vitest";
import { createTestEngine, type TestEngine } from "../../test/rig/engine.ts";
import { create, undo, write } from "../../test/runs/undo-ground.ts";
import { planUndo } from "../runs/plan-undo.ts";
import { describeUndoPlan, type UndoForecast } from "./undo-forecast.ts";

const announce = {
  id: "announce",
  type: "Shell",
  inputs: { command: "exit 0" },
  undo: { type: "Shell", inputs: { command: "exit 0" } },
  depends_on: ["one"],
};

/** A file is changed, a block has an `undo` of its own, and the file is changed again. */
async function runAround(): Promise<{ readonly engine: TestEngine; readonly runId: string }> {
  const engine = createTestEngine();
  write(engine, "notes", "before\n");
  const two = create("two", "notes", "two\ntwo\n", { depends_on: ["announce"] });
  const { response } = await engine.run({ blocks: [create("one", "notes", "one\n"), announce, two] });
  return { engine, runId: response.run_id ?? "" };
}

async function foresee({ engine }: TestEngine, runId: string): Promise<UndoForecast> {
  const plan = await planUndo(engine, runId);
  if (!plan.ok) throw new Error("It can't be planned.");
  return describeUndoPlan(plan.value, engine.platform);
}

test("a path that is changed before and after a block with an undo of its own is told once", async () => {
  const { engine, runId } = await runAround();
  const { files } = await foresee(engine, runId);
  expect(files).toMatchObject([
    { path: "notes", undo: "restored", found: "restorable", by: ["one", "two"], lines_added: 1, lines_removed: 2 },
  ]);
  expect(files[0]?.diff).toContain("-two\n-two\n+before\n");
});

test("what is found where something is left to do decides, and a path that is as before is told so", async () => {
  const { engine, runId } = await runAround();
  write(engine, "notes", "theirs\n");
  expect((await foresee(engine, runId)).files).toMatchObject([{ path: "notes", found: "conflict" }]);
  write(engine, "notes", "two\ntwo\n");
  await undo(engine, runId);
  expect((await foresee(engine, runId)).files).toMatchObject([{ path: "notes", found: "already" }]);
});
