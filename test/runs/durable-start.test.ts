import { expect, test } from "vitest";
import type { ValueMap } from "../../src/expression/value.ts";
import { type StartProblem, startRun } from "../../src/runs/start-run.ts";
import type { TestEngine, Written } from "../rig/engine.ts";
import { HeldJournal } from "../rig/held-journal.ts";
import { idle } from "../rig/idle.ts";
import { createMachine } from "../rig/machine.ts";
import { createStepEngine, step } from "../rig/step-engine.ts";

const inputs = {
  target: { type: "json", default: "here", description: "?" },
  moment: { type: "str", default: "${metadata.start_time} ${metadata.run_id}", description: "?" },
};
const deploy = { name: "deploy", inputs, blocks: [step("a")] };

interface Asked {
  readonly key?: string;
  readonly inputs?: ValueMap;
  readonly workspace?: string;
  readonly written?: Written;
}

/** The id of the run that was made, or the problem. */
async function ask(engine: TestEngine, asked: Asked): Promise<string | StartProblem> {
  const { key, written = deploy } = asked;
  const begun = await startRun(engine.engine, engine.plan(written), {
    inputs: asked.inputs ?? {},
    workspace: asked.workspace ?? engine.workspace,
    ...(key === undefined ? {} : { idempotencyKey: key }),
    onEvents() {},
    onOutput() {},
  });
  return begun.ok ? begun.value.runId : begun.error;
}

test("the same key for the same workflow with the same inputs is the same run, in any process", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const runId = await ask(first.engine, { key: "k", inputs: { target: { a: 1, b: [2, { c: 3, d: 4 }] } } });
  const second = createStepEngine({ machine });
  const again = { key: "k", inputs: { target: { b: [2, { d: 4, c: 3 }], a: 1 } } };
  expect(await ask(second.engine, again)).toEqual({ kind: "exists", runId });
  expect(await ask(first.engine, again)).toEqual({ kind: "exists", runId });
  expect(await machine.journal.list({})).toHaveLength(1);
  expect(second.steps.begun).toEqual([]);
});

test("the same key stays the same run when that has ended", async () => {
  const { engine, steps } = createStepEngine();
  const listener = { onEvents() {}, onOutput() {} };
  const options = { inputs: {}, workspace: engine.workspace, idempotencyKey: "k", ...listener };
  const begun = await startRun(engine.engine, engine.plan(deploy), options);
  if (!begun.ok) throw new Error("It is refused.");
  const settled = begun.value.settled();
  await idle();
  steps.succeed("a");
  expect(await settled).toBe("finished");
  expect(await ask(engine, { key: "k" })).toEqual({ kind: "exists", runId: begun.value.runId });
});

test.each<{ what: string; other: Asked }>([
  { what: "other inputs", other: { inputs: { target: "there" } } },
  { what: "another definition of the same name", other: { written: { ...deploy, blocks: [step("b")] } } },
])("the same key with $what is an error that names the run", async ({ other }) => {
  const machine = createMachine();
  const { engine } = createStepEngine({ machine });
  const runId = await ask(engine, { key: "k" });
  expect(await ask(engine, { key: "k", ...other })).toEqual({ kind: "key-taken", runId });
  expect(await machine.journal.list({})).toHaveLength(1);
});

test.each<{ what: string; other: Asked }>([
  { what: "another key", other: { key: "other" } },
  { what: "another workspace", other: { key: "k", workspace: "/elsewhere" } },
  { what: "another workflow", other: { key: "k", written: { ...deploy, name: "other" } } },
  { what: "no key", other: {} },
])("$what is another run", async ({ other }) => {
  const machine = createMachine();
  const { engine } = createStepEngine({ machine });
  const runId = await ask(engine, { key: "k" });
  const another = await ask(engine, other);
  expect(another).toMatch(/^run_/);
  expect(another).not.toBe(runId);
  expect(await machine.journal.list({})).toHaveLength(2);
});

test("runs without a key are runs of their own", async () => {
  const machine = createMachine();
  const { engine } = createStepEngine({ machine });
  expect(await ask(engine, {})).not.toEqual(await ask(engine, {}));
});

test("of many who start with the same key in the same moment, one makes the run", async () => {
  const machine = createMachine();
  const engines = [1, 2, 3].map(() => createStepEngine({ machine }).engine);
  const made = await Promise.all(engines.map((engine) => ask(engine, { key: "k" })));
  expect(made.filter((one) => typeof one === "string")).toHaveLength(1);
});

test("nobody hears of a run before it is durable, and nothing of it begins", async () => {
  const held = new HeldJournal();
  const { engine, steps } = createStepEngine({ machine: createMachine(held.journal) });
  held.hold("create");
  const heard: string[] = [];
  const starting = engine.start(deploy, { onEvents: (events) => void heard.push(...events.map(({ type }) => type)) });
  await idle();
  expect(held.waiting).toEqual(["create run-started block-started"]);
  expect([heard, steps.begun]).toEqual([[], []]);
  held.letGo();
  const run = await starting;
  await run.idle();
  expect(heard).toEqual(["run-started", "block-started"]);
});

test("inputs that are refused leave nothing behind, not even their key", async () => {
  const machine = createMachine();
  const { engine } = createStepEngine({ machine });
  const refused = await ask(engine, { key: "k", inputs: { unknown: 1 } });
  expect(refused).toMatchObject({ kind: "inputs" });
  expect(await machine.journal.list({})).toEqual([]);
  expect(await ask(engine, { key: "k" })).toMatch(/^run_/);
});
