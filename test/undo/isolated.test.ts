import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planUndo } from "../../src/runs/plan-undo.ts";
import { undoRun } from "../../src/runs/undo-run.ts";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { useIsolation } from "../rig/isolation.ts";
import { createMachine } from "../rig/machine.ts";
import { waitFor } from "../rig/wait-for.ts";

await useIsolation();

function open(): TestEngine {
  const engine = createTestEngine();
  mkdirSync(join(engine.workspace, "dir/deep"), { recursive: true });
  writeFileSync(join(engine.workspace, "a"), "one");
  chmodSync(join(engine.workspace, "a"), 0o640);
  writeFileSync(join(engine.workspace, "dir/deep/b"), "two");
  return engine;
}

function stateOf({ workspace }: TestEngine): object {
  const [a, b] = [join(workspace, "a"), join(workspace, "dir/deep/b")];
  return {
    a: existsSync(a) && [readFileSync(a, "utf8"), statSync(a).mode & 0o777],
    b: existsSync(b) && readFileSync(b, "utf8"),
    dir: existsSync(join(workspace, "dir")) && statSync(join(workspace, "dir")).mode & 0o777,
    others: ["new", "moved", "link"].filter((name) => existsSync(join(workspace, name))),
  };
}

const command = "echo more >> a; chmod 600 a; mv dir moved; chmod 700 moved; echo x > new; ln -s new link";
const block = { id: "it", type: "Shell", effects: "isolated", inputs: { command, strict: true } };

async function undo(engine: TestEngine, runId: string): Promise<string> {
  const undone = await undoRun(engine.engine, runId, { onEvents() {}, onOutput() {} });
  if (!undone.ok) throw new Error(JSON.stringify(undone.error));
  await undone.value.run?.settled();
  return undone.value.run?.runId ?? "";
}

test("what an isolated command did is undone, and redone by undoing that", async () => {
  const engine = open();
  const before = stateOf(engine);
  const { state } = await engine.run({ blocks: [block] });
  const after = stateOf(engine);
  expect(after).not.toEqual(before);
  const { runId } = state.started;
  const plan = await planUndo(engine.engine, runId);
  expect(plan.ok && plan.value.irreversible).toEqual([]);
  const undone = await undo(engine, runId);
  expect(stateOf(engine)).toEqual(before);
  await undo(engine, undone);
  expect(stateOf(engine)).toEqual(after);
});

test("an isolated command is rolled back when a later block fails", async () => {
  const engine = open();
  const before = stateOf(engine);
  const failing = { id: "fails", type: "ReadFile", inputs: { path: "nothing" }, depends_on: ["it"] };
  const { state } = await engine.run({ on_failure: "rollback", blocks: [block, failing] });
  expect(state.root.record.metadata).toMatchObject({ failed: true, rollback: { state: "complete" } });
  expect(stateOf(engine)).toEqual(before);
});

test("an engine that dies while it applies what an isolated command did leaves nothing that can't be undone", async () => {
  const machine = createMachine();
  const first = createTestEngine({ machine });
  for (const name of ["x", "y"]) writeFileSync(join(machine.workspace, name), name);
  const changing = "echo 1 > x; rm y; echo 3 > z";
  const started = await first.start(
    { blocks: [{ ...block, inputs: { command: changing } }] },
    {
      onEvents: (events) => {
        // The changes are announced and made; that the block has ended is not told any more.
        if (events.some(({ type }) => type === "file-changed")) first.process.doom("before-append");
      },
    },
  );
  await waitFor("it has died", () => first.process.isDead);
  await waitFor("all is applied", () => existsSync(join(machine.workspace, "z")));
  const second = createTestEngine({ machine });
  const { response } = await (await second.takeOver(started.runId)).settled;
  expect(response.status).toBe("success");
  await undo(second, started.runId);
  expect(["x", "y", "z"].map((name) => existsSync(join(machine.workspace, name)))).toEqual([true, true, false]);
  expect(readFileSync(join(machine.workspace, "x"), "utf8")).toBe("x");
});
