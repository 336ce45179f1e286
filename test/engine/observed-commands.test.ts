import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/engine/events.ts";
import { createTestEngine } from "../rig/engine.ts";
import { createRepository } from "../rig/git-repository.ts";
import { createMachine } from "../rig/machine.ts";
import { waitFor } from "../rig/wait-for.ts";

function shell(id: string, command: string, more: object = {}): object {
  return { id, type: "Shell", inputs: { command }, ...more };
}

/** The events of one block in order, with what was observed. */
function eventsOf(events: readonly RunEvent[], path: string): readonly string[] {
  return events.flatMap((event) => {
    if (!("path" in event) || event.path !== path || event.type === "process-started") return [];
    if (event.type !== "changes-observed") return [`${event.type}${"attempt" in event ? ` ${event.attempt}` : ""}`];
    const changes = event.changes.map((change) => {
      if (change.kind === "observed") return `${change.at.path}: ${change.before.kind} -> ${change.after.kind}`;
      return change.kind === "ref" ? change.name : change.kind;
    });
    const missed = event.notCaptured.map(({ path: at, why }) => `${at}: ${why}`);
    return [`${event.type} ${event.attempt}`, ...changes, ...missed];
  });
}

const untouched = ["block-started 1", "block-finished"];
const touched = [
  "block-started 1",
  "observation-started 1",
  "changes-observed 1",
  "a: missing -> file",
  "block-finished",
];

describe("a command is observed", () => {
  test.each<[string, object, object, readonly string[]]>([
    ["not by itself", {}, {}, untouched],
    ["when its block says so", {}, { effects: "observe" }, touched],
    ["when its failure is undone", {}, { on_failure: "rollback_block" }, touched],
    ["when its workflow may be undone", { on_failure: "rollback" }, {}, touched],
    ["when its attempts are undone", {}, { retry: { attempts: 2, restore: true } }, touched],
    ["not when its block says so", { on_failure: "rollback" }, { effects: "none" }, untouched],
  ])("%s", async (_when, workflow, block, expected) => {
    const engine = createTestEngine();
    const { events, response } = await engine.run({ ...workflow, blocks: [shell("it", "echo x > a", block)] });
    expect(response.status).toBe("success");
    expect(eventsOf(events, "it")).toEqual(expected);
  });

  test("in every block when whoever starts the run wants it, but not where only files are written", async () => {
    const engine = createTestEngine();
    const create = { id: "file", type: "CreateFile", inputs: { path: "b", content: "" }, depends_on: ["it"] };
    const { events } = await engine.run({ blocks: [shell("it", "echo x > a"), create] }, { observe: true });
    expect(eventsOf(events, "it")).toEqual(touched);
    expect(eventsOf(events, "file")).toEqual(["block-started 1", "file-changed 1", "block-finished"]);
  });

  test("in what git ignores where `writes` says so", async () => {
    const engine = createTestEngine();
    writeFileSync(join(engine.workspace, ".gitignore"), "out/\nelse/\n");
    createRepository(engine.workspace);
    const command = "mkdir out else; echo x > out/a; echo x > else/a";
    const { events } = await engine.run({
      blocks: [shell("it", command, { effects: "observe", writes: ["out/**"] })],
    });
    expect(eventsOf(events, "it")).toEqual([
      "block-started 1",
      "observation-started 1",
      "changes-observed 1",
      "out: missing -> directory",
      "out/a: missing -> file",
      "block-finished",
    ]);
  });

  test("also when it fails, times out or is cancelled", async () => {
    const engine = createTestEngine();
    const failed = await engine.run({
      blocks: [
        shell("fails", "echo x > a; exit 3", { effects: "observe" }),
        shell("late", "echo x > b; sleep 100", { effects: "observe", timeout: "1s", depends_on: [] }),
      ],
      max_parallel: 1,
    });
    expect(eventsOf(failed.events, "fails")).toContain("a: missing -> file");
    expect(eventsOf(failed.events, "late")).toContain("b: missing -> file");
    const run = await engine.start({ blocks: [shell("it", "echo x > c; sleep 100", { effects: "observe" })] });
    await waitFor("the command to run", () => existsSync(join(engine.workspace, "c")));
    await run.cancel();
    const { events } = await run.settled;
    expect(eventsOf(events, "it")).toContain("c: missing -> file");
  });
});

test("what a command did before its workflow failed is taken back", async () => {
  const engine = createTestEngine();
  const file = join(engine.workspace, "a");
  writeFileSync(file, "one");
  createRepository(engine.workspace);
  const { response } = await engine.run({
    on_failure: "rollback",
    blocks: [
      shell("changes", "echo two > a; mkdir -p b/c; echo new > b/c/d; chmod 600 a"),
      shell("fails", "rm a; exit 1", { depends_on: ["changes"] }),
    ],
  });
  expect(response.status).toBe("failure");
  expect(response.metadata).toMatchObject({ rollback: { state: "complete", conflicts: [] } });
  expect(readFileSync(file, "utf8")).toBe("one");
  expect(existsSync(join(engine.workspace, "b"))).toBe(false);
});

test("what a command did whose engine died is on record before anything else becomes of its block", async () => {
  const machine = createMachine();
  const first = createTestEngine({ machine });
  const { workspace } = first;
  writeFileSync(join(workspace, "a"), "one");
  const command = "echo $$ >> a; until [ -e go ]; do sleep 0.02; done";
  const run = await first.start({ blocks: [shell("it", command, { effects: "observe" })] });
  await waitFor("the command", () => readFileSync(join(workspace, "a"), "utf8") !== "one");
  await waitFor("its process", () => run.events.some(({ type }) => type === "process-started"));
  first.process.die();
  const second = createTestEngine({ machine });
  const taken = await second.takeOver(run.runId, {
    onInterrupted: "rerun",
    onEvents(events) {
      if (events.some(({ type }) => type === "block-interrupted")) writeFileSync(join(workspace, "go"), "");
    },
  });
  const { events, response } = await taken.settled;
  expect(response.status).toBe("success");
  expect(eventsOf(events, "it")).toEqual([
    "block-started 1",
    "observation-started 1",
    "changes-observed 1",
    "a: file -> file",
    "block-interrupted 1",
    "block-started 2",
    "observation-started 2",
    "changes-observed 2",
    "a: file -> file",
    "block-finished",
  ]);
  expect(readFileSync(join(workspace, "a"), "utf8").split("\n")).toHaveLength(3);
});

test("what was too large to be kept is named before the command runs", async () => {
  const engine = createTestEngine();
  writeFileSync(join(engine.workspace, "large"), Buffer.alloc(51_000_000));
  const { events } = await engine.run({ blocks: [shell("it", "true", { effects: "observe" })] });
  const started = events.find(({ type }) => type === "observation-started");
  expect(started).toMatchObject({ notCaptured: [{ path: "large", why: "it is larger than 50 MB" }] });
});
