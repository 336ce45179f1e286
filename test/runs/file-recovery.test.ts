import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { FileChange } from "../../src/block/block-files.ts";
import type { BlockContext, BlockType } from "../../src/block/define-block.ts";
import type { RootedPath } from "../../src/block/ports.ts";
import type { FileChanged, RunEvent } from "../../src/engine/events.ts";
import type { ValueMap } from "../../src/expression/value.ts";
import { createMemoryJournal } from "../../src/journal/memory/memory-journal.ts";
import { once } from "../../src/util/once.ts";
import { decorateJournal } from "../rig/decorate-journal.ts";
import { createTestEngine, type TestEngine, type TestRun, type TestTakeOverOptions } from "../rig/engine.ts";
import { createMachine, type TestMachine } from "../rig/machine.ts";
import { waitFor } from "../rig/wait-for.ts";

/** A block that makes the changes its test names. */
function changing(plan: (context: BlockContext) => readonly FileChange[]): BlockType {
  return {
    type: "Changing",
    summary: "Changes files",
    inputs: once(() => z.strictObject({})),
    outputs: once(() => z.strictObject({ done: z.boolean() })),
    defaultOutputs: { done: false },
    capabilities: ["writes files"],
    undo: "automatic",
    onInterrupted: "rerun",
    behaviour: {
      kind: "leaf",
      async run(_input, context) {
        const problem = await context.files.change(plan(context), { done: true });
        if (problem === undefined) return { kind: "succeeded", outputs: { done: true } };
        return { kind: "failed", message: problem.message, outputs: { done: false } };
      },
    },
  };
}

const workflow = { blocks: [{ id: "it", type: "Changing" }] };

function write(context: BlockContext, path: string, text: string, mode?: number): FileChange {
  const at = context.files.locateForChange(path, false);
  return { kind: "write", at, bytes: Buffer.from(text), ...(mode === undefined ? {} : { mode }) };
}

function eventOf(events: readonly RunEvent[]): FileChanged {
  const found = events.find(({ type }) => type === "file-changed");
  if (found?.type !== "file-changed") throw new Error("No file was announced to change.");
  return found;
}

test("a change is announced, with what it replaces, before it is made", async () => {
  const seen: string[] = [];
  const machine = createMachine();
  const file = join(machine.workspace, "a.txt");
  writeFileSync(file, "old", { mode: 0o640 });
  const type = changing((context) => [write(context, "a.txt", "new")]);
  const engine = createTestEngine({ types: [type], machine });
  const run = await engine.start(workflow, {
    onEvents(events) {
      if (events.some((event) => event.type === "file-changed")) seen.push(readFileSync(file, "utf8"));
    },
  });
  const { response, events } = await run.settled;
  expect(response.status).toBe("success");
  expect(seen).toEqual(["old"]);
  expect(eventOf(events)).toMatchObject({
    path: "it",
    attempt: 1,
    outputs: { done: true },
    changes: [
      {
        kind: "write",
        at: { root: machine.workspace, path: "a.txt" },
        before: { kind: "file", mode: 0o640, size: 3, kept: true },
        after: { mode: 0o640, size: 3, kept: true },
        temporary: expect.stringMatching(/^\.run_\w+-\d+-0\.tmp$/),
      },
    ],
  });
  expect(readFileSync(file, "utf8")).toBe("new");
  expect(statSync(file).mode & 0o777).toBe(0o640);
  expect(readdirSync(machine.workspace)).toEqual(["a.txt"]);
});

test("the outputs that are announced hold no secret", async () => {
  const secret = "kanarienvogel";
  const machine = createMachine();
  writeFileSync(join(machine.workspace, "a.json"), JSON.stringify({ token: secret }));
  const engine = createTestEngine({ secrets: { TOKEN: secret }, machine });
  const inputs = { path: "a.json", updates: { a: 1 } };
  const { events } = await engine.run({ blocks: [{ id: "it", type: "MergeJSONState", inputs }] });
  expect(eventOf(events).outputs).toMatchObject({ merged_data: { token: "[secret TOKEN]", a: 1 } });
  expect(JSON.stringify(events)).not.toContain(secret);
});

/** Runs until the changes are announced, lets the process die there, and lays the disk out as the test says. */
async function dieAfterAnnouncing(
  type: BlockType,
  machine: TestMachine,
  found: (announced: FileChanged) => void,
  options: TestTakeOverOptions = {},
): Promise<TestRun> {
  const first = createTestEngine({ types: [type], machine });
  const run = await first.start(workflow, {
    onEvents(events) {
      if (events.some((event) => event.type === "block-started")) first.process.doom("after-append");
    },
  });
  await waitFor("the process to die", () => first.process.isDead);
  found(eventOf(await machine.journal.read(run.runId)));
  const second: TestEngine = createTestEngine({ types: [type], machine });
  return second.takeOver(run.runId, options);
}

test.each([
  { found: "as after the change", text: "new", attempts: 1, status: "success" },
  { found: "as before the change", text: "old", attempts: 2, status: "success" },
  { found: "otherwise", text: "mine", attempts: 1, status: "paused" },
])("a file that is found $found after a crash: $status", async ({ text, attempts, status }) => {
  const machine = createMachine();
  const file = join(machine.workspace, "a.txt");
  writeFileSync(file, "old");
  const run = await dieAfterAnnouncing(
    changing((context) => [write(context, "a.txt", "new")]),
    machine,
    () => writeFileSync(file, text),
  );
  const { response, state } = await run.settled;
  expect(response.status).toBe(status);
  expect(state.nodes.get("it")?.record.metadata.attempts).toBe(attempts);
  if (status === "paused") {
    expect(readFileSync(file, "utf8")).toBe("mine");
    expect(response.pending?.[0]?.prompt).toMatch(
      /^'it' was changing 'a\.txt' when Frond ended\. .*may have changed it\.$/m,
    );
  } else expect(state.nodes.get("it")?.record.outputs).toEqual({ done: true });
});

test("changes of which only the first are found made are made by another attempt", async () => {
  const machine = createMachine();
  const type = changing((context) => {
    const directory = context.files.locateForChange("d", false);
    const parents: FileChange[] = existsSync(join(machine.workspace, "d"))
      ? []
      : [{ kind: "make-directory", at: directory }];
    return [...parents, write(context, "d/a.txt", "new")];
  });
  const run = await dieAfterAnnouncing(type, machine, () => {
    if (!existsSync(join(machine.workspace, "d"))) mkdirSync(join(machine.workspace, "d"));
  });
  const { response } = await run.settled;
  expect(response.status).toBe("success");
  expect(readFileSync(join(machine.workspace, "d/a.txt"), "utf8")).toBe("new");
});

describe("what is neither as before nor as after the changes is left to somebody who knows", () => {
  const at = (context: BlockContext, path: string): RootedPath => context.files.locateForChange(path, false);
  const cases: readonly {
    found: string;
    plan(context: BlockContext): readonly FileChange[];
    lay(at: (path: string) => string): void;
  }[] = [
    {
      found: "a later change made and an earlier one not",
      plan: (context) => [write(context, "a.txt", "new"), write(context, "b.txt", "new")],
      lay: (path) => writeFileSync(path("b.txt"), "new"),
    },
    {
      found: "the right bytes with other permissions",
      plan: (context) => [write(context, "b.txt", "new", 0o600)],
      lay: (path) => writeFileSync(path("b.txt"), "new", { mode: 0o640 }),
    },
    {
      found: "a link that leads elsewhere than the one to be removed",
      plan: (context) => [{ kind: "remove", at: at(context, "link") }],
      lay: (path) => {
        unlinkSync(path("link"));
        symlinkSync("b.txt", path("link"));
      },
    },
    {
      found: "no way to what was to be moved",
      plan: (context) => [{ kind: "rename", from: at(context, "d/a.txt"), to: at(context, "b.txt") }],
      lay: (path) => {
        renameSync(path("d"), path("e"));
        symlinkSync("e", path("d"));
      },
    },
    {
      found: "neither what was to be moved nor what it was to become",
      plan: (context) => [{ kind: "rename", from: at(context, "d/a.txt"), to: at(context, "b.txt") }],
      lay: (path) => unlinkSync(path("d/a.txt")),
    },
    {
      found: "something else where it was to be moved to",
      plan: (context) => [{ kind: "rename", from: at(context, "d/a.txt"), to: at(context, "b.txt") }],
      lay: (path) => {
        unlinkSync(path("d/a.txt"));
        writeFileSync(path("b.txt"), "mine");
      },
    },
  ];

  function layOut(workspace: string): void {
    mkdirSync(join(workspace, "d"));
    for (const path of ["a.txt", "d/a.txt"]) writeFileSync(join(workspace, path), "old");
    symlinkSync("a.txt", join(workspace, "link"));
  }

  test.each(cases)("$found", async ({ plan, lay }) => {
    const machine = createMachine();
    layOut(machine.workspace);
    const run = await dieAfterAnnouncing(changing(plan), machine, () => lay((path) => join(machine.workspace, path)));
    expect((await run.settled).response.status).toBe("paused");
  });

  test("who can say that it is done, with the outputs that were announced", async () => {
    const machine = createMachine();
    layOut(machine.workspace);
    const run = await dieAfterAnnouncing(
      changing((context) => [write(context, "a.txt", "new")]),
      machine,
      () => writeFileSync(join(machine.workspace, "a.txt"), "mine"),
    );
    await run.settled;
    await run.answer("it", "done");
    const { state } = await run.goOn();
    expect(state.nodes.get("it")?.record.outputs).toEqual({ done: true });
    expect(readFileSync(join(machine.workspace, "a.txt"), "utf8")).toBe("mine");
  });

  test("or to a rule for all of them", async () => {
    const machine = createMachine();
    layOut(machine.workspace);
    const run = await dieAfterAnnouncing(
      changing((context) => [write(context, "a.txt", "new")]),
      machine,
      () => writeFileSync(join(machine.workspace, "a.txt"), "mine"),
      { onInterrupted: "fail" },
    );
    const { response } = await run.settled;
    expect(response).toMatchObject({ status: "failure", failed_blocks: [{ block: "it" }] });
    expect(readFileSync(join(machine.workspace, "a.txt"), "utf8")).toBe("mine");
  });
});

test("all changes of a block are announced at once", async () => {
  const type = changing((context) => [write(context, "a.txt", "new")]);
  const { behaviour } = type;
  if (behaviour.kind !== "leaf") throw new Error("It does something itself.");
  const twice = {
    ...behaviour,
    run: async (input: ValueMap, context: BlockContext) => {
      await behaviour.run(input, context);
      return behaviour.run(input, context);
    },
  };
  const { response } = await createTestEngine({ types: [{ ...type, behaviour: twice }] }).run(workflow);
  const message = expect.stringContaining("A block changes files once.");
  expect(response).toMatchObject({ status: "failure", failed_blocks: [{ message }] });
});

test("what was left of a write is removed", async () => {
  const machine = createMachine();
  const run = await dieAfterAnnouncing(
    changing((context) => [write(context, "a.txt", "new")]),
    machine,
    ({ changes: [change] }) => {
      if (change?.kind !== "write") throw new Error("No write was announced.");
      writeFileSync(join(machine.workspace, change.temporary), "ne");
    },
  );
  expect((await run.settled).response.status).toBe("success");
  expect(readdirSync(machine.workspace)).toEqual(["a.txt"]);
});

test.each([
  ["../outside.txt", "is outside the workspace"],
  ["/etc/passwd", "is outside the workspace"],
  [".git/config", "is in '.git'"],
  ["sub/.GIT/hooks/x", "is in '.git'"],
  [".", "is the workspace itself"],
  ["a\0b", "NUL"],
  ["", "empty"],
])("'%s' can't be changed: it %s", async (path, reason) => {
  const engine = createTestEngine({ types: [changing((context) => [write(context, path, "x")])] });
  const { response } = await engine.run(workflow);
  expect(response).toMatchObject({ status: "failure", failed_blocks: [{ message: expect.stringContaining(reason) }] });
});

test.each(["through/frond/trusted.json", "real/frond/trusted.json", "real/FROND/trusted.json"])(
  "Frond's own state is out of bounds wherever the way to it leads through links: %s",
  async (path) => {
    const machine = createMachine();
    mkdirSync(join(machine.workspace, "real/frond"), { recursive: true });
    symlinkSync("real", join(machine.workspace, "through"));
    const stateDirectory = join(machine.workspace, "through/frond");
    const engine = createTestEngine({
      types: [changing((context) => [write(context, path, "x")])],
      machine: Object.assign(machine, { stateDirectory }),
    });
    const { response } = await engine.run(workflow);
    expect(response.status).toBe("failure");
    expect(existsSync(join(machine.workspace, path))).toBe(false);
  },
);

test("a change that can't be announced is not made", async () => {
  const journal = decorateJournal(createMemoryJournal(), ({ name, given, perform }) =>
    name === "append" && JSON.stringify(given).includes("file-changed")
      ? Promise.reject(new Error("no space"))
      : perform(),
  );
  const engine = createTestEngine({
    types: [changing((context) => [write(context, "a.txt", "new")])],
    machine: createMachine(journal),
  });
  const run = await engine.start(workflow);
  await expect(run.settled).rejects.toThrow("no space");
  expect(existsSync(join(engine.workspace, "a.txt"))).toBe(false);
});

test.each([
  { made: "directory", status: "success", make: (path: string) => mkdirSync(path) },
  { made: "file", status: "failure", make: (path: string) => writeFileSync(path, "") },
  { made: "link", status: "failure", make: (path: string) => symlinkSync("/tmp", path) },
])("a $made that somebody makes where a directory was announced: $status", async ({ make, status }) => {
  const engine = createTestEngine();
  const run = await engine.start(
    { blocks: [{ id: "it", type: "CreateFile", inputs: { path: "d/a.txt", content: "new" } }] },
    {
      onEvents(events) {
        if (events.some(({ type }) => type === "file-changed")) make(join(engine.workspace, "d"));
      },
    },
  );
  const { response } = await run.settled;
  expect(response.status, JSON.stringify(response)).toBe(status);
  expect(existsSync(join(engine.workspace, "d/a.txt"))).toBe(status === "success");
});

test("a link is never written through", async () => {
  const machine = createMachine();
  writeFileSync(join(machine.stateDirectory, "victim"), "safe");
  symlinkSync(join(machine.stateDirectory, "victim"), join(machine.workspace, "a.txt"));
  const engine = createTestEngine({ types: [changing((context) => [write(context, "a.txt", "new")])], machine });
  const { response } = await engine.run(workflow);
  expect(response.status).toBe("failure");
  expect(readFileSync(join(machine.stateDirectory, "victim"), "utf8")).toBe("safe");
});
