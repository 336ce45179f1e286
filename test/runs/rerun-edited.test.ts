import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ValueMap } from "../../src/expression/value.ts";
import { ok } from "../../src/util/result.ts";
import { describeReuse, type ReuseData } from "../../src/views/describe-reuse.ts";
import { createTestEngine, type TestEngine, type Written } from "../rig/engine.ts";
import { rerunHere } from "../rig/rerun-here.ts";
import { call, createStepEngine, ending, giving, step } from "../rig/step-engine.ts";

/** What a rerun of a run with another text, or other inputs, took over. */
async function rerun(engine: TestEngine, runId: string, now: Written, inputs: ValueMap = {}): Promise<ReuseData> {
  const begun = await rerunHere(engine.engine, runId, {
    workflow: engine.check(now),
    inputs: () => ok(inputs),
    trust: "any-file",
    onEvents() {},
    onOutput() {},
  });
  if (!begun.ok) throw new Error(begun.error.map(({ message }) => message).join("\n"));
  await begun.value.run.settled();
  return begun.value.run.inspect(describeReuse);
}

interface Case {
  readonly what: string;
  readonly before: Written;
  readonly now: Written;
  readonly inputs?: ValueMap;
  readonly reused: readonly string[];
  readonly ran: Readonly<Record<string, string>>;
}

const a = giving("a", 1);
const b = giving("b", "${blocks.a.value}");
const c = giving("c", 3);
const greeting = { who: { type: "string", default: "Ada" }, other: { type: "string", default: "x" } };

const cases: readonly Case[] = [
  {
    what: "what says the same is reused, whatever its description and the order of its keys",
    before: { blocks: [a, b, c] },
    now: { blocks: [{ description: "the first", inputs: { value: 1, ends: "succeed" }, type: "Step", id: "a" }, c, b] },
    reused: ["a", "c", "b"],
    ran: {},
  },
  {
    what: "what says another word about failing and undoing is reused",
    before: { blocks: [a, b] },
    now: {
      on_failure: "rollback",
      blocks: [
        { ...a, on_failure: "stop", commit_point: true },
        { ...b, undo: { type: "Shell", inputs: { command: "true" } } },
      ],
    },
    reused: ["a", "b"],
    ran: {},
  },
  {
    what: "a changed block runs, and what depends on it",
    before: { blocks: [a, b, c] },
    now: { blocks: [giving("a", 2), b, c] },
    reused: ["c"],
    ran: { a: "Its definition has changed.", b: "It depends on 'a', which is not reused." },
  },
  {
    what: "a dependency that ran counts as changed although its outputs are the same",
    before: { blocks: [giving("a", "${1 + 1}"), b] },
    now: { blocks: [giving("a", "${3 - 1}"), b] },
    reused: [],
    ran: { a: "Its definition has changed.", b: "It depends on 'a', which is not reused." },
  },
  {
    what: "a block that is new runs, one that is gone is not missed",
    before: { blocks: [a, c] },
    now: { blocks: [a, giving("d", 4)] },
    reused: ["a"],
    ran: { d: "It is new." },
  },
  {
    what: "what failed or was skipped runs",
    before: { blocks: [a, ending("f", "fail"), step("s", { depends_on: ["f"] })] },
    now: { blocks: [a, ending("f", "succeed"), ending("s", "succeed", { depends_on: ["f"] })] },
    reused: ["a"],
    ran: { f: "It failed before.", s: "It was skipped before." },
  },
  {
    what: "a failure that was allowed is a result",
    before: { blocks: [ending("f", "fail", { allow_failure: true }), a] },
    now: { blocks: [ending("f", "fail", { allow_failure: true }), giving("a", 2)] },
    reused: ["f"],
    ran: { a: "Its definition has changed." },
  },
  {
    what: "of an input that has changed only its readers run",
    before: { inputs: greeting, blocks: [giving("x", "${inputs.who}"), giving("y", "${inputs.other}")] },
    now: { inputs: greeting, blocks: [giving("x", "${inputs.who}"), giving("y", "${inputs.other}")] },
    inputs: { who: "Grace" },
    reused: ["y"],
    ran: { x: "inputs.who has changed." },
  },
  {
    what: "a default that has changed is taken",
    before: { inputs: greeting, blocks: [giving("x", "${inputs.who}"), giving("y", "${inputs.other}")] },
    now: {
      inputs: { ...greeting, other: { type: "string", default: "z" } },
      blocks: [giving("x", "${inputs.who}"), giving("y", "${inputs.other}")],
    },
    reused: ["x"],
    ran: { y: "inputs.other has changed." },
  },
  {
    what: "what stands behind a var is compared, its name is not",
    before: { vars: { one: "${1}", two: "${2}" }, blocks: [giving("x", "${vars.one}"), giving("y", "${vars.two}")] },
    now: { vars: { uno: "${1}", two: "${3}" }, blocks: [giving("x", "${vars.uno}"), giving("y", "${vars.two}")] },
    reused: ["x"],
    ran: { y: "Its definition has changed." },
  },
  {
    what: "what is about the run itself is not compared",
    before: { blocks: [giving("x", "${metadata.run_id}")] },
    now: { blocks: [giving("x", "${metadata.run_id}"), a] },
    reused: ["x"],
    ran: { a: "It is new." },
  },
  {
    what: "in a group and in a called workflow blocks are compared one by one",
    before: { blocks: [{ id: "g", blocks: [a, b, c] }, call("n", "child", { v: 1 })] },
    now: { blocks: [{ id: "g", blocks: [a, giving("b", "${blocks.a.value + 1}"), c] }, call("n", "child", { v: 2 })] },
    reused: ["g/a", "g/c", "n/free"],
    ran: { "g/b": "Its definition has changed.", "n/bound": "inputs.v has changed." },
  },
  {
    what: "what is in a block that depends on another one that ran runs too",
    before: { blocks: [a, { id: "g", depends_on: ["a"], blocks: [c] }] },
    now: { blocks: [giving("a", 2), { id: "g", depends_on: ["a"], blocks: [c] }] },
    reused: [],
    ran: { a: "Its definition has changed.", "g/c": "'g' depends on 'a', which is not reused." },
  },
  {
    what: "with reuse: false a block runs, and what depends on it is reused if its outputs are the same",
    before: { blocks: [giving("a", 1, { reuse: false }), b] },
    now: { blocks: [giving("a", 1, { reuse: false }), b] },
    reused: ["b"],
    ran: { a: "It runs in every rerun." },
  },
  {
    what: "elements are the same by their value, and by their index where that is read",
    before: {
      blocks: [
        giving("v", "${each.value}", { for_each: ["x", "y", "z"] }),
        giving("i", "${each.index}${each.value}", { for_each: ["x", "y"] }),
      ],
    },
    now: {
      blocks: [
        giving("v", "${each.value}", { for_each: ["z", "new", "x"] }),
        giving("i", "${each.index}${each.value}", { for_each: ["y", "x"] }),
      ],
    },
    reused: ["v (2 of 3 elements)"],
    ran: { "v/1": "The element is new.", "i/0": "each.index has changed.", "i/1": "each.index has changed." },
  },
];

test.each(cases.map((one) => [one.what, one] as const))("%s", async (_, { before, now, inputs, reused, ran }) => {
  const child = {
    inputs: { v: { type: "integer", required: true } },
    blocks: [giving("free", 1), giving("bound", "${inputs.v}")],
  };
  const { engine } = createStepEngine({ workflows: { child } });
  const first = await engine.run(before);
  const found = await rerun(engine, first.state.started.runId, now, inputs);
  expect({ reused: found.reused, ran: found.not_reused }).toEqual({ reused, ran });
});

const files = {
  blocks: [
    { id: "read", type: "ReadFile", inputs: { path: "in.txt" } },
    { id: "write", type: "CreateFile", inputs: { path: "out.txt", content: "one", overwrite: true } },
    {
      id: "edit",
      type: "EditFile",
      depends_on: ["write"],
      inputs: { path: "out.txt", operations: [{ type: "replace_text", old_text: "one", new_text: "two" }] },
    },
  ],
};

test.each([
  { what: "nothing", change: [], ran: {} },
  {
    what: "a file that was read",
    change: ["in.txt", "other"],
    ran: { read: "A file that it read or wrote has changed." },
  },
  {
    what: "a file that was written twice",
    change: ["out.txt", "else"],
    ran: {
      write: "A file that it read or wrote has changed.",
      edit: "It depends on 'write', which is not reused.",
    },
  },
])("file blocks run again when somebody has changed $what", async ({ change: [name, text = ""], ran }) => {
  const engine = createTestEngine();
  writeFileSync(join(engine.workspace, "in.txt"), "first");
  const first = await engine.run(files);
  expect(first.response.status).toBe("success");
  if (name !== undefined) writeFileSync(join(engine.workspace, name), text);
  const found = await rerun(engine, first.state.started.runId, files);
  expect(found.not_reused).toEqual(ran);
});

const commands = {
  blocks: [
    { id: "serve", type: "Shell", inputs: { command: "sleep 60 & echo started", keep_background: true } },
    { id: "build", type: "Shell", inputs: { command: "cat in.txt" } },
  ],
};

test("a command that keeps something in the background is never reused", async () => {
  const engine = createTestEngine();
  writeFileSync(join(engine.workspace, "in.txt"), "first");
  const first = await engine.run(commands);
  const found = await rerun(engine, first.state.started.runId, commands);
  expect(found).toMatchObject({ reused: ["build"], not_reused: { serve: "It runs in every rerun." } });
  expect(found.reuse_remark).toBeUndefined();
});

test("commands that are reused although files have changed are named", async () => {
  const engine = createTestEngine();
  writeFileSync(join(engine.workspace, "in.txt"), "first");
  const first = await engine.run(commands);
  const later = new Date(Date.now() + 60_000);
  utimesSync(join(engine.workspace, "in.txt"), later, later);
  expect((await rerun(engine, first.state.started.runId, commands)).reuse_remark).toBe(
    "1 file has changed since in the workspace; these commands were reused anyway: build.",
  );
});
