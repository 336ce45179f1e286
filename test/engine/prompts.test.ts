import { expect, test } from "vitest";
import type { Value } from "../../src/expression/value.ts";
import { createTestEngine, type TestRun } from "../rig/engine.ts";
import { call, createStepEngine, giving, step } from "../rig/step-engine.ts";

const ask = (id: string, inputs: object = {}, more: object = {}): object => ({
  id,
  type: "Prompt",
  inputs: { prompt: `Question of ${id}?`, ...inputs },
  ...more,
});

test("a question pauses the run only when everything else that can run has run", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    blocks: [
      ask("ask"),
      step("long"),
      step("after", { depends_on: ["long"] }),
      giving("waits", "${blocks.ask.response}"),
    ],
  });
  await run.idle();
  expect(run.state.questions.size).toBe(1);
  expect(run.state.root.record.metadata.status).toBe("running");
  steps.succeed("long");
  await run.idle();
  steps.succeed("after");
  const { response, events } = await run.settled;
  expect(response).toMatchObject({ status: "paused", pending: [{ prompt: "Question of ask?" }] });
  expect(response.outputs).toBeUndefined();
  expect(response.pending?.[0]?.checkpoint_id).toMatch(/^pause_[0-9a-z]{16}_[0-9a-f]{10}$/);
  expect(response.blocks?.waits?.metadata.status).toBe("pending");
  expect(events.at(-1)?.type).toBe("run-paused");
  await run.answer("ask", "blue");
  const end = await run.goOn();
  expect(end.response.status).toBe("success");
  expect(end.state.root.record.blocks.waits?.outputs.value).toBe("blue");
  expect(end.events.map(({ type }) => type).filter((type) => type.startsWith("run-"))).toEqual([
    "run-started",
    "run-paused",
    "run-resumed",
    "run-finished",
  ]);
});

test("several questions wait at once and are answered in any order, each freeing only what waits for it", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    blocks: [ask("a"), ask("b"), step("after_a", { depends_on: ["a"] }), step("after_b", { depends_on: ["b"] })],
  });
  const first = await run.settled;
  expect(first.response.pending?.map(({ block }) => block)).toEqual(["a", "b"]);
  await run.answer("b", "yes");
  let going = run.goOn();
  await run.idle();
  expect(steps.running).toEqual(["after_b"]);
  steps.succeed("after_b");
  expect((await going).response.pending?.map(({ block }) => block)).toEqual(["a"]);
  await run.answer("a", "no");
  going = run.goOn();
  await run.idle();
  steps.succeed("after_a");
  expect((await going).response.status).toBe("success");
});

test("an answer can come while other blocks run, before the run pauses at all", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({ blocks: [ask("a"), step("busy"), step("after", { depends_on: ["a"] })] });
  await run.idle();
  await run.answer("a", "yes");
  await run.idle();
  expect(steps.running).toEqual(["busy", "after"]);
  steps.succeed("busy");
  steps.succeed("after");
  const { events } = await run.settled;
  expect(events.some(({ type }) => type === "run-paused")).toBe(false);
});

test("answering the same question twice changes nothing", async () => {
  const { engine } = createStepEngine();
  const run = await engine.start({ blocks: [ask("a"), ask("b")] });
  const { response } = await run.settled;
  const id = response.pending?.[0]?.checkpoint_id as string;
  expect((await run.answer(id, "first")).ok).toBe(true);
  await run.goOn();
  const before = run.events.length;
  expect((await run.answer(id, "second")).ok).toBe(true);
  expect(run.events).toHaveLength(before);
  expect(run.state.nodes.get("a")?.record.outputs.response).toBe("first");
  const unknown = await run.answer("pause_unknown", "x");
  expect(unknown).toEqual({ ok: false, error: "There is no checkpoint 'pause_unknown'." });
});

test("a wrong answer is refused with the reason, and the question goes on waiting", async () => {
  const { engine } = createStepEngine();
  const run = await engine.start({ blocks: [ask("a", { choices: ["yes", "no"] })] });
  await run.settled;
  const before = run.events.length;
  expect(await run.answer("a", "Yes")).toEqual({
    ok: false,
    error: "The answer must be exactly one of: yes, no. It is the text 'Yes'.",
  });
  expect(run.events).toHaveLength(before);
  expect(run.state.questions.size).toBe(1);
  expect((await run.answer("a", "no")).ok).toBe(true);
  expect((await run.goOn()).response.status).toBe("success");
});

const objectSchema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };

test.each<{ inputs: object; answer: Value; gives?: Value; refused?: string }>([
  { inputs: {}, answer: "any text", gives: "any text" },
  { inputs: {}, answer: "", gives: "" },
  { inputs: {}, answer: null, gives: "" },
  { inputs: { default: "blue" }, answer: "", gives: "blue" },
  { inputs: { default: "blue" }, answer: null, gives: "blue" },
  { inputs: { default: "blue" }, answer: "red", gives: "red" },
  { inputs: { choices: ["a", "b"], default: "b" }, answer: "", gives: "b" },
  { inputs: { choices: ["a", "b"] }, answer: "", refused: "exactly one of: a, b" },
  { inputs: { choices: ["a", "b"] }, answer: " a", refused: "exactly one of: a, b" },
  { inputs: { schema: objectSchema }, answer: { n: 3 }, gives: { n: 3 } },
  { inputs: { schema: objectSchema }, answer: '{"n": 3}', gives: { n: 3 } },
  { inputs: { schema: objectSchema }, answer: '{"n": "three"}', refused: "answer.n must be" },
  { inputs: { schema: objectSchema }, answer: "not JSON", refused: "does not fit" },
  { inputs: { schema: objectSchema, default: { n: 1 } }, answer: "", gives: { n: 1 } },
  { inputs: { schema: { type: "string" } }, answer: "plain", gives: "plain" },
  { inputs: { schema: { type: "boolean" } }, answer: "true", gives: true },
  { inputs: { schema: { type: "integer" } }, answer: 4.5, refused: "does not fit" },
  { inputs: { schema: { enum: ["x", "y"] } }, answer: "x", gives: "x" },
])("a question with $inputs answered with $answer", async ({ inputs, answer, gives, refused }) => {
  const engine = createTestEngine();
  const run = await engine.start({ blocks: [ask("a", inputs)] });
  await run.settled;
  const answered = await run.answer("a", answer);
  if (refused !== undefined) {
    expect(answered).toMatchObject({ ok: false, error: expect.stringContaining(refused) });
    expect(run.state.questions.size).toBe(1);
    return;
  }
  expect(answered.ok).toBe(true);
  const { state } = await run.goOn();
  expect(JSON.parse(JSON.stringify(state.root.record.blocks.a?.outputs))).toEqual({ response: gives });
});

test("a default never answers by itself", async () => {
  const { response } = await createTestEngine().run({ blocks: [ask("a", { default: "yes", choices: ["yes"] })] });
  expect(response).toMatchObject({ status: "paused", pending: [{ block: "a", default: "yes", choices: ["yes"] }] });
});

test("a question in the child of a child pauses the run, and its answer is worked in there", async () => {
  const { engine } = createStepEngine({
    workflows: {
      middle: { blocks: [call("inner", "innermost")], outputs: { color: "${blocks.inner.color}" } },
      innermost: { blocks: [ask("ask")], outputs: { color: "${blocks.ask.response}" } },
    },
  });
  const run = await engine.start({ blocks: [call("outer", "middle")], outputs: { color: "${blocks.outer.color}" } });
  const { response } = await run.settled;
  expect(response.pending).toMatchObject([{ block: "outer/inner/ask" }]);
  expect(response.blocks?.outer?.metadata.status).toBe("paused");
  expect(response.blocks?.outer?.blocks?.inner?.metadata.status).toBe("paused");
  await run.answer("outer/inner/ask", "green");
  expect((await run.goOn()).response.outputs?.color).toBe("green");
});

test("a block may ask again, under a new id", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({ blocks: [step("a")] });
  await run.idle();
  steps.pause("a");
  const first = (await run.settled).response.pending?.[0]?.checkpoint_id;
  await run.answer("a", "one");
  const going = run.goOn();
  await run.idle();
  steps.pause("a");
  const second = (await going).response.pending?.[0]?.checkpoint_id;
  expect(second).not.toBe(first);
  await run.answer("a", "two");
  const end = run.goOn();
  await run.idle();
  expect(steps.answer("a")).toBe("two");
  steps.succeed("a");
  expect((await end).response.status).toBe("success");
});

test("whoever hears of the pause may answer at once", async () => {
  const { engine } = createStepEngine();
  let answered: Promise<unknown> | undefined;
  const started: Promise<TestRun> = engine.start(
    { blocks: [ask("a")] },
    {
      onEvents(events) {
        if (events.at(-1)?.type === "run-paused") answered = started.then((run) => run.answer("a", "quick"));
      },
    },
  );
  const run = await started;
  expect((await run.settled).response.status).toBe("paused");
  await answered;
  expect((await run.goOn()).response.status).toBe("success");
});

test("the question and who answered it are in the events", async () => {
  const { engine } = createStepEngine();
  const run = await engine.start({
    blocks: [giving("x", 7), ask("a", { prompt: "Take ${blocks.x.value}?", audience: "human" })],
  });
  const { response, events } = await run.settled;
  expect(response.pending).toMatchObject([{ prompt: "Take 7?", audience: "human" }]);
  await run.answer("a", "yes");
  await run.goOn();
  expect(events).toContainEqual(
    expect.objectContaining({ type: "question-answered", path: "a", answer: "yes", by: "test" }),
  );
});

test("a question whose schema turns out unusable is not asked: the block FAILS and says why", async () => {
  const { state } = await createTestEngine().run(
    {
      inputs: { schema: { type: "object", description: "JSON Schema" } },
      blocks: [{ id: "ask", type: "Prompt", inputs: { prompt: "Well?", schema: "${inputs.schema}" } }],
    },
    { inputs: { schema: { pattern: "^(a+)+$" } } },
  );
  expect(state.root.record.blocks.ask?.metadata).toMatchObject({ status: "failed" });
  expect(state.root.record.blocks.ask?.metadata.message).toContain("regex_match");
});
