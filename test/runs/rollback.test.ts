import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunEvent } from "../../src/engine/events.ts";
import { createMemoryJournal } from "../../src/journal/memory/memory-journal.ts";
import { planUndo } from "../../src/runs/plan-undo.ts";
import { undoRun } from "../../src/runs/undo-run.ts";
import { decorateJournal } from "../rig/decorate-journal.ts";
import { createTestEngine } from "../rig/engine.ts";
import { createMachine } from "../rig/machine.ts";
import { call, createStepEngine, ending, step } from "../rig/step-engine.ts";
import { create, read, shell, undo, write } from "./undo-ground.ts";

function remove(id: string, path: string, more: object = {}): object {
  return { id, type: "DeleteFile", inputs: { path }, ...more };
}

const failing = { id: "fails", type: "ReadFile", inputs: { path: "nothing" } };

test("a run whose workflow says on_failure: rollback leaves everything as it was", async () => {
  const engine = createTestEngine();
  write(engine, "a.txt", "before");
  write(engine, "gone.txt", "still here");
  const { state, events } = await engine.run({
    on_failure: "rollback",
    blocks: [
      create("edit", "a.txt", "after"),
      create("new", "deep/down/b.txt", "new"),
      remove("drop", "gone.txt"),
      { ...failing, depends_on: ["edit", "new", "drop"] },
    ],
  });
  expect(read(engine, "a.txt")).toBe("before");
  expect(read(engine, "gone.txt")).toBe("still here");
  expect(existsSync(join(engine.workspace, "deep"))).toBe(false);
  const { metadata } = state.root.record;
  expect(metadata).toMatchObject({ failed: true, rollback: { state: "complete", conflicts: [] } });
  const started = events.find((event) => event.type === "rollback-started");
  expect(started).toMatchObject({ path: "", undoRun: (metadata.rollback as { undo_run: string }).undo_run });
});

test("a nested workflow with rollback undoes what lies under its path, and its parent goes on", async () => {
  const child = {
    on_failure: "rollback",
    blocks: [create("inner", "inner.txt", "x"), { ...failing, depends_on: ["inner"] }],
  };
  const engine = createTestEngine({ workflows: { child } });
  const { state } = await engine.run({
    blocks: [
      create("outer", "outer.txt", "kept"),
      call("nested", "child", {}, { depends_on: ["outer"] }),
      create("after", "after.txt", "also", { condition: "${blocks.nested.failed}" }),
    ],
  });
  expect(read(engine, "inner.txt")).toBeUndefined();
  expect(read(engine, "outer.txt")).toBe("kept");
  expect(read(engine, "after.txt")).toBe("also");
  expect(state.nodes.get("nested")?.record.metadata).toMatchObject({ failed: true, rollback: { state: "complete" } });
});

test("rollback_block undoes the block's own effects, and the workflow goes on", async () => {
  const engine = createTestEngine();
  await engine.run({
    blocks: [
      {
        id: "group",
        on_failure: "rollback_block",
        blocks: [create("one", "one.txt", "1"), { ...failing, depends_on: ["one"] }],
      },
      create("two", "two.txt", "2"),
    ],
  });
  expect(read(engine, "one.txt")).toBeUndefined();
  expect(read(engine, "two.txt")).toBe("2");
});

test("retry.restore lets the next attempt find what the first one found", async () => {
  const engine = createTestEngine();
  write(engine, "count.txt", "=");
  const { state } = await engine.run({
    blocks: [
      {
        id: "group",
        retry: { attempts: 3, delay: 0, restore: true },
        blocks: [
          {
            id: "add",
            type: "EditFile",
            inputs: { path: "count.txt", operations: [{ type: "replace_text", old_text: "=", new_text: "=x" }] },
          },
          { id: "see", type: "ReadFile", inputs: { path: "count.txt" }, depends_on: ["add"] },
          { ...failing, depends_on: ["see"] },
        ],
      },
    ],
  });
  expect(state.nodes.get("group")?.record.metadata.attempts).toBe(3);
  expect(state.nodes.get("group/see")?.record.outputs.content).toBe("=x");
  expect(read(engine, "count.txt")).toBe("=x");
});

test("rollback does not go back past a commit point", async () => {
  const engine = createTestEngine();
  await engine.run({
    on_failure: "rollback",
    blocks: [
      create("one", "one.txt", "1"),
      create("two", "two.txt", "2", { depends_on: ["one"], commit_point: true }),
      create("three", "three.txt", "3", { depends_on: ["two"] }),
      { ...failing, depends_on: ["three"] },
    ],
  });
  expect([read(engine, "one.txt"), read(engine, "two.txt"), read(engine, "three.txt")]).toEqual(["1", "2", undefined]);
});

test("what runs is ended before anything is undone", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    on_failure: "rollback",
    blocks: [create("file", "a.txt", "x"), step("slow"), step("fails", { depends_on: ["file"] })],
  });
  await run.idle();
  await expect.poll(() => steps.begun).toContain("fails");
  steps.fail("fails");
  const { events, state } = await run.settled;
  const place = (type: RunEvent["type"], path: string): number =>
    events.findIndex((event) => event.type === type && "path" in event && event.path === path);
  expect(place("workflow-stopping", "")).toBeLessThan(place("block-finished", "slow"));
  expect(place("block-finished", "slow")).toBeLessThan(place("rollback-started", ""));
  expect(state.nodes.get("slow")?.cause).toBe("cancelled");
  expect(state.root.record.metadata.error).toBe("'fails' failed: it went wrong");
  expect(read(engine, "a.txt")).toBeUndefined();
});

test("a cancelled run whose workflow says rollback is undone", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    on_failure: "rollback",
    blocks: [create("file", "a.txt", "x"), step("slow", { depends_on: ["file"] })],
  });
  await expect.poll(() => steps.begun).toContain("slow");
  await run.cancel();
  await run.settled;
  expect(read(engine, "a.txt")).toBeUndefined();
});

test("finally runs before a rollback, and its changes are undone too", async () => {
  const engine = createTestEngine();
  const { events } = await engine.run({
    on_failure: "rollback",
    blocks: [create("file", "a.txt", "x"), { ...failing, depends_on: ["file"] }],
    finally: [create("last", "last.txt", "y")],
  });
  const types = events.map(({ type }) => type);
  expect(types.indexOf("finally-started")).toBeLessThan(types.indexOf("rollback-started"));
  expect(read(engine, "last.txt")).toBeUndefined();
});

test("a run is undone, and undoing that is doing it again", async () => {
  const engine = createTestEngine();
  write(engine, "a.txt", "before");
  const { response } = await engine.run({
    blocks: [create("edit", "a.txt", "after"), create("new", "d/b.txt", "new")],
  });
  const first = await undo(engine, response.run_id);
  expect([read(engine, "a.txt"), read(engine, "d/b.txt")]).toEqual(["before", undefined]);
  expect(existsSync(join(engine.workspace, "d"))).toBe(false);
  const again = await undo(engine, response.run_id);
  expect(again.plan.blocks).toBe(0);
  await undo(engine, first.runId);
  expect([read(engine, "a.txt"), read(engine, "d/b.txt")]).toEqual(["after", "new"]);
});

test("what somebody else has changed since stays as it is, and is listed", async () => {
  const engine = createTestEngine();
  write(engine, "a.txt", "before");
  const { response } = await engine.run({ blocks: [create("edit", "a.txt", "after"), create("new", "b.txt", "new")] });
  write(engine, "a.txt", "theirs");
  const planned = await planUndo(engine.engine, response.run_id ?? "");
  if (!planned.ok) throw new Error("No plan.");
  expect(planned.value.files.map(({ at, found }) => [at.path, found]).sort()).toEqual([
    ["a.txt", "conflict"],
    ["b.txt", "restorable"],
  ]);
  await undo(engine, response.run_id);
  expect([read(engine, "a.txt"), read(engine, "b.txt")]).toEqual(["theirs", undefined]);
});

test("only what one block did, or what came after one, can be undone", async () => {
  const engine = createTestEngine();
  const three = [
    create("one", "1.txt", "1"),
    create("two", "2.txt", "2", { depends_on: ["one"] }),
    create("three", "3.txt", "3", { depends_on: ["two"] }),
  ];
  const { response } = await engine.run({ blocks: three });
  const left = (): unknown[] => ["1.txt", "2.txt", "3.txt"].map((path) => read(engine, path));
  await undo(engine, response.run_id, { only: "two" });
  expect(left()).toEqual(["1", undefined, "3"]);
  const { response: second } = await engine.run({ blocks: three });
  await undo(engine, second.run_id, { to: "one" });
  expect(left()).toEqual(["1", undefined, "3"]);
});

test.each(["rollback-started", "run-started", "file-changed", "block-finished", "run-finished"] as const)(
  "a rollback is gone on with when its engine died after %s of it",
  async (when) => {
    let isRollingBack = false;
    const journal = decorateJournal(createMemoryJournal(), ({ name, given, perform }) => {
      const written = name === "append" || name === "create" ? JSON.stringify(given) : "";
      isRollingBack ||= written.includes('"rollback-started"');
      if (isRollingBack && written.includes(`"${when}"`)) first.process.die();
      return perform();
    });
    const machine = createMachine(journal);
    const first = createTestEngine({ machine });
    mkdirSync(join(first.workspace, "d"));
    write(first, "d/a.txt", "before");
    const blocks = [create("edit", "d/a.txt", "after"), { ...failing, depends_on: ["edit"] }];
    const run = await first.start({ on_failure: "rollback", blocks });
    run.settled.catch(() => {});
    await expect.poll(() => first.process.isDead).toBe(true);
    const second = createTestEngine({ machine });
    const { state } = await (await second.takeOver(run.runId)).settled;
    expect(read(second, "d/a.txt")).toBe("before");
    expect(state.root.record.metadata.rollback).toMatchObject({ state: "complete" });
    const undone = await (await second.engine.platform.journal()).list({ undoOf: run.runId });
    expect(undone.map(({ status }) => status)).toEqual(["success"]);
  },
);

test("a block in a loop rolls its workflow back with all passes", async () => {
  const engine = createTestEngine();
  await engine.run({
    on_failure: "rollback",
    blocks: [
      { ...create("each_file", "${each.value}.txt", "x"), for_each: ["a", "b", "c"] },
      ending("never", "succeed", { depends_on: ["each_file"], type: "ReadFile", inputs: { path: "nothing" } }),
    ],
  });
  expect(["a", "b", "c"].map((name) => read(engine, `${name}.txt`))).toEqual([undefined, undefined, undefined]);
});

test("what a command that still runs may have changed is left alone, and listed", async () => {
  const fails = {
    on_failure: "rollback",
    blocks: [shell("work", "touch a.txt; until [ -e b.txt ]; do sleep 0.05; done; exit 1")],
  };
  const other = {
    on_failure: "rollback",
    blocks: [shell("work", "touch b.txt; until [ -e go ]; do sleep 0.05; done")],
  };
  const engine = createTestEngine({ workflows: { fails, other } });
  const run = await engine.start({ blocks: [call("one", "fails"), call("two", "other")] });
  await expect.poll(() => run.state.nodes.get("one")?.ended).toBe(true);
  const { metadata } = run.state.nodes.get("one")?.record ?? {};
  const why = "'two/work' ran at the same time and may have changed it";
  expect(metadata?.rollback).toMatchObject({
    state: "partial",
    conflicts: [
      { path: "a.txt", why },
      { path: "b.txt", why },
    ],
  });
  expect([read(engine, "a.txt"), read(engine, "b.txt")]).toEqual(["", ""]);
  write(engine, "go", "");
  await run.settled;
});

test("a plan tells which directories stay because somebody has put something into them", async () => {
  const engine = createTestEngine();
  const { response } = await engine.run({
    blocks: [create("one", "a/b/one.txt", "1"), create("two", "c/two.txt", "2")],
  });
  write(engine, "a/b/theirs.txt", "x");
  const planned = await planUndo(engine.engine, response.run_id ?? "");
  if (!planned.ok) throw new Error("No plan.");
  const found = planned.value.files.map((file) => `${file.at.path} ${file.found}`).sort();
  expect(found).toEqual([
    "a conflict",
    "a/b conflict",
    "a/b/one.txt restorable",
    "c restorable",
    "c/two.txt restorable",
  ]);
  await undo(engine, response.run_id);
  expect(existsSync(join(engine.workspace, "a/b/theirs.txt"))).toBe(true);
  expect(existsSync(join(engine.workspace, "c"))).toBe(false);
});

test("an undo that its process left does not go on once another one was made", async () => {
  const machine = createMachine();
  const first = createTestEngine({ machine });
  const { response } = await first.run({ blocks: [create("one", "a.txt", "1")] });
  const runId = response.run_id ?? "";
  const left = await undoRun(first.engine, runId, { onEvents() {}, onOutput() {} });
  if (!left.ok || left.value.run === undefined) throw new Error("There is no undo.");
  const second = createTestEngine({ machine });
  expect(await undoRun(second.engine, runId, { onEvents() {}, onOutput() {} })).toMatchObject({
    ok: false,
    error: [{ code: "undo-running" }],
  });
  first.process.die();
  await undo(second, runId);
  const summary = await (await second.engine.platform.journal()).find(left.value.run.runId);
  expect(summary).toMatchObject({ status: "failure", cancelled: true });
  expect(read(second, "a.txt")).toBeUndefined();
});
