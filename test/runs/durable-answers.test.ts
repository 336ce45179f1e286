import { expect, test } from "vitest";
import type { Problem } from "../../src/diagnostic/problem.ts";
import type { Value } from "../../src/expression/value.ts";
import { type Answered, answerQuestion } from "../../src/runs/answer-question.ts";
import type { Result } from "../../src/util/result.ts";
import type { TestEngine } from "../rig/engine.ts";
import { createMachine } from "../rig/machine.ts";
import { call, createStepEngine, giving, step } from "../rig/step-engine.ts";

const nobody = { onEvents() {}, onOutput() {} };

const ask = (id: string, inputs: object = {}): object => ({
  id,
  type: "Prompt",
  inputs: { prompt: `${id}?`, ...inputs },
});

function answer({ engine }: TestEngine, id: string, value: Value, isHuman = true): Promise<Result<Answered, Problem>> {
  return answerQuestion(engine, id, { value, by: "test", isHuman }, nobody);
}

/** The question of a block of a paused run. */
async function questionAt({ engine }: TestEngine, runId: string, path: string): Promise<string> {
  const summary = await (await engine.platform.journal()).find(runId);
  const { id } = summary?.questions.find((one) => one.path === path) ?? {};
  if (id === undefined) throw new Error(`${path} asks nothing.`);
  return id;
}

async function drive(answered: Result<Answered, Problem>): Promise<void> {
  if (!answered.ok || answered.value.kind !== "driven") throw new Error("The run does not go on here.");
  await answered.value.run.settled();
}

test.each([
  ["a", "b", "c"],
  ["c", "a", "b"],
  ["b", "c", "a"],
])("questions are answered in any order, each by another process: %s, %s, %s", async (...order) => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const { runId, settled } = await first.engine.start({
    blocks: [
      ask("a"),
      ask("b"),
      ask("c"),
      ...["a", "b", "c"].map((id) => giving(`after_${id}`, `\${blocks.${id}.response}`)),
    ],
    outputs: { all: "${blocks.after_a.value}${blocks.after_b.value}${blocks.after_c.value}" },
  });
  await settled;
  const begun: string[] = [];
  for (const path of order) {
    expect(await machine.journal.find(runId)).toMatchObject({ status: "paused" });
    const { engine, steps } = createStepEngine({ machine });
    await drive(await answer(engine, await questionAt(engine, runId, path), path.toUpperCase()));
    begun.push(...steps.begun);
  }
  expect(begun).toEqual(order.map((id) => `after_${id}`));
  expect(await machine.journal.find(runId)).toMatchObject({ status: "success" });
  const finished = (await machine.journal.read(runId)).at(-1);
  expect(finished).toMatchObject({ type: "run-finished", outputs: { all: "ABC" } });
});

test("a paused run is held by nobody, whoever has driven it", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const { runId, settled } = await first.engine.start({ blocks: [ask("a"), ask("b")] });
  await settled;
  expect((await machine.journal.find(runId))?.lease).toBeUndefined();
  const second = createStepEngine({ machine });
  await drive(await answer(second.engine, await questionAt(second.engine, runId, "b"), "yes"));
  const summary = await machine.journal.find(runId);
  expect(summary).toMatchObject({ status: "paused", questions: [{ path: "a" }] });
  expect(summary?.lease).toBeUndefined();
});

test("what has been answered is not answered again: nothing changes, whoever says what", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const { runId, settled } = await first.engine.start({ blocks: [ask("a"), ask("b")] });
  await settled;
  const id = await questionAt(first.engine, runId, "a");
  await drive(await answer(first.engine, id, "first"));
  const before = await machine.journal.read(runId);
  const kept = { value: "first", by: "test" };
  const second = createStepEngine({ machine });
  expect(await answer(second.engine, id, "second")).toEqual({
    ok: true,
    value: { kind: "answered-before", runId, kept },
  });
  expect(await answer(first.engine, id, "first")).toEqual({
    ok: true,
    value: { kind: "answered-before", runId, kept },
  });
  expect(await machine.journal.read(runId)).toEqual(before);
  await drive(await answer(second.engine, await questionAt(second.engine, runId, "b"), "yes"));
  expect(await answer(second.engine, id, "late")).toEqual({
    ok: true,
    value: { kind: "answered-before", runId, kept },
  });
});

test("an answer that does not fit changes nothing, and takes nothing", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const { runId, settled } = await first.engine.start({ blocks: [ask("a", { choices: ["yes", "no"] })] });
  await settled;
  const id = await questionAt(first.engine, runId, "a");
  const [events, summary] = [await machine.journal.read(runId), await machine.journal.find(runId)];
  const second = createStepEngine({ machine });
  expect(await answer(second.engine, id, "maybe")).toMatchObject({ ok: false, error: { code: "answer-refused" } });
  expect(await machine.journal.read(runId)).toEqual(events);
  expect(await machine.journal.find(runId)).toEqual(summary);
  await drive(await answer(second.engine, id, "no"));
  expect((await machine.journal.find(runId))?.status).toBe("success");
});

test("a question for a person is not answered by anybody else", async () => {
  const machine = createMachine();
  const { engine } = createStepEngine({ machine });
  const { runId, settled } = await engine.start({ blocks: [ask("a", { audience: "human" })] });
  await settled;
  const id = await questionAt(engine, runId, "a");
  const before = await machine.journal.find(runId);
  expect(await answer(engine, id, "yes", false)).toMatchObject({ ok: false, error: { code: "needs-a-person" } });
  expect(await machine.journal.find(runId)).toEqual(before);
});

test.each(["pause_0000000000000000_0000000000", "chk_1", "a", ""])("nobody asks anything under '%s'", async (id) => {
  const { engine } = createStepEngine();
  expect(await answer(engine, id, "yes")).toMatchObject({ ok: false, error: { code: "unknown-checkpoint" } });
});

test("a question that a cancelled run had asked is gone", async () => {
  const machine = createMachine();
  const { engine } = createStepEngine({ machine });
  const run = await engine.start({ blocks: [ask("a")] });
  await run.settled;
  const id = await questionAt(engine, run.runId, "a");
  await run.cancel();
  const second = createStepEngine({ machine });
  expect(await answer(second.engine, id, "yes")).toMatchObject({ ok: false });
  expect(second.steps.begun).toEqual([]);
});

test("two processes answer two questions in the same moment: both count, and one drives", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const { runId, settled, idle } = await first.engine.start({
    blocks: [ask("a"), ask("b"), step("after_a", { depends_on: ["a"] }), step("after_b", { depends_on: ["b"] })],
  });
  await settled;
  const [one, other] = [createStepEngine({ machine }), createStepEngine({ machine })];
  const ids = [await questionAt(one.engine, runId, "a"), await questionAt(one.engine, runId, "b")] as const;
  const answered = await Promise.all([answer(one.engine, ids[0], "yes"), answer(other.engine, ids[1], "yes")]);
  expect(answered.map((result) => (result.ok ? result.value.kind : result.error.code)).toSorted()).toEqual([
    "driven",
    "posted",
  ]);
  await idle();
  const driver = one.steps.begun.length > 0 ? one : other;
  expect([...one.steps.begun, ...other.steps.begun]).toEqual(driver.steps.begun);
});

test("a run started from a text goes on from that text, wherever it is answered", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const text = `
name: inline
description: Not in any library
blocks:
  - id: a
    type: Prompt
    inputs: { prompt: "Colour?" }
  - id: b
    type: Step
    inputs: { ends: succeed, value: "\${blocks.a.response}!" }
outputs:
  b: \${blocks.b.value}
`;
  const { runId, settled } = await first.engine.start(text);
  await settled;
  const second = createStepEngine({ machine, workflows: { inline: { blocks: [step("another")] } } });
  await drive(await answer(second.engine, await questionAt(second.engine, runId, "a"), "red"));
  expect((await machine.journal.read(runId)).at(-1)).toMatchObject({ outputs: { b: "red!" } });
});

const childOf = (value: string): Record<string, { blocks: object[]; outputs: object }> => ({
  child: { blocks: [ask("a"), giving("b", value)], outputs: { made: "${blocks.b.value}" } },
});

test("a definition that was changed meanwhile does not change a run that waits", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine, workflows: childOf("as it was") });
  const { runId, settled } = await first.engine.start({
    blocks: [ask("begin"), call("n", "child", {}, { depends_on: ["begin"] })],
    outputs: { made: "${blocks.n.made}" },
  });
  await settled;
  const second = createStepEngine({ machine, workflows: childOf("changed") });
  await drive(await answer(second.engine, await questionAt(second.engine, runId, "begin"), "yes"));
  const third = createStepEngine({ machine, workflows: {} });
  await drive(await answer(third.engine, await questionAt(third.engine, runId, "n/a"), "yes"));
  expect((await machine.journal.read(runId)).at(-1)).toMatchObject({ outputs: { made: "as it was" } });
});

test("a child whose name was known late comes from the run's events once it has been entered", async () => {
  const inputs = { name: { type: "str", default: "child", description: "?" } };
  const root = {
    inputs,
    blocks: [
      call("first", "${inputs.name}"),
      ask("then"),
      call("second", "${inputs.name}", {}, { depends_on: ["then", "first"] }),
    ],
    outputs: { both: "${blocks.first.made} and ${blocks.second.made}" },
  };
  const machine = createMachine();
  const first = createStepEngine({ machine, workflows: childOf("as it was") });
  const { runId, settled } = await first.engine.start(root);
  await settled;
  const entered = (await machine.journal.read(runId)).filter(
    (event) => event.type === "block-started" && event.inside.kind === "workflow" && event.inside.definition,
  );
  expect(entered).toHaveLength(1);
  for (const [index, path] of ["first/a", "then", "second/a"].entries()) {
    const { engine } = createStepEngine({ machine, workflows: index === 1 ? {} : childOf("changed") });
    await drive(await answer(engine, await questionAt(engine, runId, path), "yes"));
  }
  expect((await machine.journal.read(runId)).at(-1)).toMatchObject({
    outputs: { both: "as it was and as it was" },
  });
});

test("a late child that is first entered after a take-over is the one that is there then", async () => {
  const inputs = { name: { type: "str", default: "child", description: "?" } };
  const machine = createMachine();
  const first = createStepEngine({ machine, workflows: {} });
  const { runId, settled } = await first.engine.start({
    inputs,
    blocks: [ask("begin"), call("n", "${inputs.name}", {}, { depends_on: ["begin"] })],
    outputs: { made: "${blocks.n.made}" },
  });
  await settled;
  const second = createStepEngine({ machine, workflows: childOf("came later") });
  await drive(await answer(second.engine, await questionAt(second.engine, runId, "begin"), "yes"));
  const third = createStepEngine({ machine, workflows: childOf("changed again") });
  await drive(await answer(third.engine, await questionAt(third.engine, runId, "n/a"), "yes"));
  expect((await machine.journal.read(runId)).at(-1)).toMatchObject({ outputs: { made: "came later" } });
});
