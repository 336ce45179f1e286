import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planUndo } from "../../src/runs/plan-undo.ts";
import { createTestEngine } from "../rig/engine.ts";
import { rerunHere } from "../rig/rerun-here.ts";
import { create, read, shell, undo, write } from "./undo-ground.ts";

test("a compensation runs when its block is undone, with what the block was given and made, and once", async () => {
  const engine = createTestEngine();
  const { response } = await engine.run({
    blocks: [
      create("first", "first.txt", "x"),
      {
        id: "deploy",
        type: "Shell",
        inputs: { command: "echo 'v1 $(touch hacked) ${x}'" },
        undo: {
          type: "Shell",
          inputs: { command: 'echo "${block.outputs.stdout} ${block.attempt.outcome}" >> log.txt' },
        },
      },
    ],
  });
  expect(response.status).toBe("success");
  write(engine, "first.txt", "theirs");
  const planned = await planUndo(engine.engine, response.run_id ?? "");
  expect(planned).toMatchObject({ ok: true, value: { files: [{ found: "conflict" }] } });
  await undo(engine, response.run_id);
  expect(read(engine, "log.txt")).toBe("v1 $(touch hacked) ${x}\n success\n");
  expect(read(engine, "hacked")).toBeUndefined();
  const again = await undo(engine, response.run_id);
  expect(again.plan.compensations).toEqual([]);
});

test("compensations of every attempt run in reverse order of completion", async () => {
  const engine = createTestEngine();
  const { state } = await engine.run({
    on_failure: "rollback",
    blocks: [
      {
        id: "one",
        type: "Shell",
        inputs: { command: "exit 0" },
        undo: { type: "Shell", inputs: { command: "echo one >> log.txt" } },
      },
      {
        id: "two",
        type: "Shell",
        depends_on: ["one"],
        retry: { attempts: 2, delay: 0 },
        inputs: { command: "exit 1" },
        undo: { type: "Shell", inputs: { command: 'echo "two ${block.attempt.number}" >> log.txt' } },
      },
    ],
  });
  expect(read(engine, "log.txt")).toBe("two 2\ntwo 1\none\n");
  expect(state.root.record.metadata.rollback).toMatchObject({ state: "complete" });
});

test("a failed compensation leaves the rollback partial, and the rest is undone all the same", async () => {
  const engine = createTestEngine();
  const { state } = await engine.run({
    on_failure: "rollback",
    blocks: [
      create("file", "a.txt", "x"),
      {
        id: "two",
        type: "Shell",
        depends_on: ["file"],
        inputs: { command: "exit 1" },
        undo: { type: "Shell", inputs: { command: "exit 9" } },
      },
    ],
  });
  expect(read(engine, "a.txt")).toBeUndefined();
  expect(state.root.record.metadata.rollback).toMatchObject({
    state: "partial",
    conflicts: [{ path: "two", why: "exit code 9" }],
  });
});

test("a compensation works where its block did", async () => {
  const child = {
    blocks: [
      {
        id: "start",
        type: "Shell",
        inputs: { command: "touch started" },
        undo: { type: "Shell", inputs: { command: "touch stopped" } },
      },
    ],
  };
  const engine = createTestEngine({ workflows: { child } });
  mkdirSync(join(engine.workspace, "sub"));
  const { response } = await engine.run({
    blocks: [{ id: "nested", type: "ExecuteWorkflow", inputs: { workflow: "child", workspace: "sub" } }],
  });
  await undo(engine, response.run_id);
  expect([read(engine, "sub/stopped"), read(engine, "stopped")]).toEqual(["", undefined]);
});

test("what was changed before and after a compensated block goes back to how it was first", async () => {
  const engine = createTestEngine();
  write(engine, "a.txt", "0");
  const { response } = await engine.run({
    blocks: [
      create("one", "a.txt", "1"),
      { ...shell("deploy", "true"), depends_on: ["one"], undo: { type: "Shell", inputs: { command: "true" } } },
      create("two", "a.txt", "2", { depends_on: ["deploy"] }),
    ],
  });
  const { plan } = await undo(engine, response.run_id);
  expect(plan.files.map(({ found }) => found)).toEqual(["restorable", "restorable"]);
  expect(read(engine, "a.txt")).toBe("0");
});

test("each compensation waits for the end of the one before, whatever becomes of that", async () => {
  const engine = createTestEngine();
  const log = (text: string, more = ""): object => shell("", `echo ${text} >> log.txt${more}`);
  const undoing = (command: object, more: object = {}): object => {
    const { type, inputs } = command as { readonly type: string; readonly inputs: object };
    return { undo: { type, inputs, ...more } };
  };
  const { response } = await engine.run({
    blocks: [
      { ...shell("one", "true"), ...undoing(log("one")) },
      {
        ...shell("two", "true"),
        ...undoing(log("two"), { condition: "${block.attempt.outcome} == 'success'" }),
        depends_on: ["one"],
      },
      {
        ...shell("three", "true"),
        ...undoing(log("three"), { condition: "${block.attempt.outcome} == 'failure'" }),
        depends_on: ["two"],
      },
      { ...shell("four", "true"), ...undoing(log("four", "; sleep 30"), { timeout: "200ms" }), depends_on: ["three"] },
      {
        ...shell("five", "true"),
        ...undoing(log("five", "; [ $(wc -l < log.txt) -gt 1 ]"), { retry: { attempts: 2, delay: 0.2 } }),
        depends_on: ["four"],
      },
    ],
  });
  await undo(engine, response.run_id);
  expect(read(engine, "log.txt")?.trim().split("\n")).toEqual(["five", "five", "four", "two", "one"]);
});

test("a rerun after a rollback runs what was undone again", async () => {
  const engine = createTestEngine();
  const blocks = (last: string): readonly object[] => [
    { ...shell("build", "echo built > out") },
    { ...shell("reserve", "true"), undo: { type: "Shell", inputs: { command: "true" } }, depends_on: ["build"] },
    { ...shell("look", "true"), depends_on: ["reserve"] },
    { ...shell("check", last), depends_on: ["look"] },
  ];
  const { response } = await engine.run({ on_failure: "rollback", blocks: blocks("exit 1") });
  expect(read(engine, "out")).toBeUndefined();
  const fixed = engine.check({ on_failure: "rollback", blocks: blocks("test -e out") });
  const rerun = await rerunHere(engine.engine, response.run_id ?? "", {
    workflow: fixed,
    trust: "any-file",
    onEvents() {},
    onOutput() {},
  });
  if (!rerun.ok) throw new Error(JSON.stringify(rerun.error));
  await rerun.value.run.settled();
  const found = await rerun.value.run.inspect(({ root }) =>
    Object.entries(root.record.blocks).map(([id, { metadata }]) => [id, metadata.succeeded, metadata.not_reused]),
  );
  expect(found).toEqual([
    ["build", true, "What it did was undone."],
    ["reserve", true, expect.any(String)],
    ["look", true, expect.any(String)],
    ["check", true, expect.any(String)],
  ]);
  expect(read(engine, "out")).toBe("built\n");
});
