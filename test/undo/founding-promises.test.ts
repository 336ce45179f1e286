import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { planUndo } from "../../src/runs/plan-undo.ts";
import { createTestEngine, explain, type TestEngine } from "../rig/engine.ts";
import { unwrap } from "../rig/unwrap.ts";
import { takeBack } from "./take-back.ts";
import { compareSnapshots, type TreeSnapshot, takeSnapshot } from "./tree-snapshot.ts";

/** What Scout's ADR-006 names and leaves as a stub or a placeholder. Each test is named after it. */

function createGround(): { engine: TestEngine; before: TreeSnapshot; differences(): readonly string[] } {
  const engine = createTestEngine();
  mkdirSync(join(engine.workspace, "old"));
  writeFileSync(join(engine.workspace, "old/kept.bin"), Buffer.of(0, 255, 13, 10), { mode: 0o600 });
  writeFileSync(join(engine.workspace, "main.py"), "print('one')\r\n");
  const before = takeSnapshot(engine.workspace);
  return { engine, before, differences: () => compareSnapshots(before, takeSnapshot(engine.workspace)) };
}

/** The actions of a plan that change files, one after the other. */
const steps: readonly { readonly id: string; readonly [key: string]: unknown }[] = [
  { id: "create_file", type: "CreateFile", inputs: { path: "src/new.py", content: "new\n" } },
  {
    id: "modify_file",
    type: "EditFile",
    inputs: { path: "main.py", operations: [{ type: "replace_text", old_text: "one", new_text: "two" }] },
    depends_on: ["create_file"],
  },
  {
    id: "delete_file",
    type: "DeleteFile",
    inputs: { path: "old", recursive: true },
    depends_on: ["modify_file"],
  },
];
const failing = { id: "fail", type: "DeleteFile", inputs: { path: "nothing" }, depends_on: ["delete_file"] };

test("record(step_id, change_type, undo_command): every change is on record, with what takes it back, before it is made", async () => {
  const { engine } = createGround();
  const kinds: string[] = [];
  const run = await engine.start(
    { blocks: steps },
    {
      onEvents(events) {
        for (const event of events) {
          if (event.type !== "file-changed") continue;
          for (const change of event.changes) kinds.push(`${event.path} ${change.kind}`);
        }
      },
    },
  );
  await run.settled;
  expect(kinds).toEqual([
    "create_file make-directory",
    "create_file write",
    "modify_file write",
    "delete_file remove",
    "delete_file remove",
  ]);
  const { files } = unwrap(await planUndo(engine.engine, run.runId));
  expect(files.map(({ at, by, before, found }) => [at.path, by, before.kind, found]).sort()).toEqual([
    ["main.py", ["modify_file"], "file", "restorable"],
    ["old", ["delete_file"], "directory", "restorable"],
    ["old/kept.bin", ["delete_file"], "file", "restorable"],
    ["src", ["create_file"], "missing", "restorable"],
    ["src/new.py", ["create_file"], "missing", "restorable"],
  ]);
});

test("rollback_to(step_id): what came after a step is taken back, and what it did stays", async () => {
  const { engine, differences } = createGround();
  const run = await engine.start({ blocks: steps });
  await run.settled;
  expect(await takeBack(engine, run.runId, { to: "modify_file" })).toMatchObject({ conflicts: [] });
  expect(differences().map((line) => line.slice(0, line.indexOf(":")))).toEqual(["main.py", "src", "src/new.py"]);
  expect(await takeBack(engine, run.runId, { to: "create_file" })).toMatchObject({ conflicts: [] });
  expect(differences().map((line) => line.slice(0, line.indexOf(":")))).toEqual(["src", "src/new.py"]);
  expect(await takeBack(engine, run.runId)).toMatchObject({ conflicts: [] });
  expect(differences()).toEqual([]);
});

test("rollback_on_fail: a step that fails takes back all that was done before it, byte for byte, by itself", async () => {
  const { engine, differences } = createGround();
  const { response, state } = await engine.run({ blocks: [...steps, { ...failing, on_failure: "rollback" }] });
  expect(response.status).toBe("failure");
  expect(state.root.record.metadata).toMatchObject({ rollback: { state: "complete" } });
  expect(differences()).toEqual([]);
});

test("rollback_on_fail: false leaves what was done, to be taken back by hand", async () => {
  const { engine, differences } = createGround();
  const run = await engine.start({ blocks: [...steps, failing] });
  expect((await run.settled).response.status).toBe("failure");
  expect(differences()).toHaveLength(5);
  await takeBack(engine, run.runId);
  expect(differences()).toEqual([]);
});

test("generate_undo_plan(from_step): the plan is a workflow that can be read, checked and run", async () => {
  const { engine, differences } = createGround();
  const run = await engine.start({ blocks: steps });
  await run.settled;
  const { text, blocks } = unwrap(await planUndo(engine.engine, run.runId));
  expect(explain(engine.check(text).diagnostics)).toBe("");
  expect(parse(text).blocks).toHaveLength(blocks);
  expect((await engine.run(text)).response.status).toBe("success");
  expect(differences()).toEqual([]);
});

test("generate_undo_plan(from_step): the plan can be edited, and takes back what is left in it", async () => {
  const { engine, differences } = createGround();
  const run = await engine.start({ blocks: steps });
  await run.settled;
  const plan = parse(unwrap(await planUndo(engine.engine, run.runId)).text);
  for (const { inputs } of plan.blocks) {
    inputs.files = inputs.files.filter(({ path }: { path: string }) => path !== "main.py");
  }
  expect((await engine.run(stringify(plan))).response.status).toBe("success");
  expect(differences()).toHaveLength(1);
  expect(readFileSync(join(engine.workspace, "main.py"), "utf8")).toBe("print('two')\r\n");
});

test("an undo plan from a step on holds nothing of what came before it", async () => {
  const { engine } = createGround();
  const run = await engine.start({ blocks: steps });
  await run.settled;
  const { text, files } = unwrap(await planUndo(engine.engine, run.runId, { to: "create_file" }));
  expect(files.map(({ at }) => at.path).sort()).toEqual(["main.py", "old", "old/kept.bin"]);
  expect(text).not.toContain("new.py");
  expect(existsSync(join(engine.workspace, "src/new.py"))).toBe(true);
});
