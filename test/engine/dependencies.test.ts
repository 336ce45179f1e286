import { expect, test } from "vitest";
import { call, createStepEngine, ending, giving, step } from "../rig/step-engine.ts";

type Ends = "succeed" | "fail" | "crash";

/** A block that ends in the wanted way; a skipped one has a false condition. */
function endedAs(how: Ends | "skip"): object {
  return how === "skip" ? ending("d", "succeed", { condition: "false" }) : ending("d", how);
}

test.each([
  { how: "succeed", required: true, runs: true },
  { how: "fail", required: true, runs: false, why: "'d' failed, and is required." },
  { how: "crash", required: true, runs: false, why: "'d' could not run, and is required." },
  { how: "skip", required: true, runs: false, why: "'d' was skipped, and is required." },
  { how: "succeed", required: false, runs: true },
  { how: "fail", required: false, runs: true },
  { how: "crash", required: false, runs: false, why: "'d' could not run." },
  { how: "skip", required: false, runs: true },
] as const)("after a dependency that ends as $how, with required $required, a block runs: $runs", async (row) => {
  const { engine } = createStepEngine();
  const dependency = row.required ? "d" : { block: "d", required: false };
  const { state, events } = await engine.run({
    blocks: [endedAs(row.how), ending("b", "succeed", { depends_on: [dependency] })],
  });
  const { metadata, outputs } = state.root.record.blocks.b ?? {};
  expect(metadata?.succeeded).toBe(row.runs);
  expect(metadata?.skipped).toBe(!row.runs);
  if (row.runs) return;
  expect(metadata?.message).toBe("why" in row ? row.why : "");
  expect(events.find((event) => event.type === "block-skipped" && event.path === "b")).toMatchObject({
    reason: { kind: "dependency" },
  });
  expect(outputs).toEqual({ value: null, code: -1 });
});

test.each([
  { how: "succeed", condition: "${blocks.d.failed}", runs: false },
  { how: "fail", condition: "${blocks.d.failed}", runs: true },
  { how: "crash", condition: "${blocks.d.failed}", runs: true },
  { how: "skip", condition: "${blocks.d.failed}", runs: false },
  { how: "skip", condition: "${blocks.d.skipped}", runs: true },
  { how: "crash", condition: "${blocks.d.status} == 'failed'", runs: true },
  { how: "fail", condition: "${blocks.d.outcome} == 'failure'", runs: true },
  { how: "crash", condition: "${blocks.d.error} != null", runs: true },
  { how: "crash", condition: "${blocks.d.metadata.failed}", runs: true },
  { how: "fail", condition: "${blocks.d.code} != 0", runs: true },
  { how: "crash", condition: "${blocks.d.outputs.code} == -1", runs: true },
  { how: "fail", condition: "${blocks.d.value} == null", runs: false },
] as const)("the condition $condition alone decides about a dependency whose state it mentions ($how)", async (row) => {
  const { engine } = createStepEngine();
  for (const more of [{ depends_on: ["d"] }, {}]) {
    const { state } = await engine.run({
      blocks: [endedAs(row.how), ending("b", "succeed", { condition: row.condition, ...more })],
    });
    expect(state.root.record.blocks.b?.metadata.succeeded).toBe(row.runs);
  }
});

test("required: true said in so many words wins over a condition that mentions the state", async () => {
  const { engine } = createStepEngine();
  const { state, events } = await engine.run({
    blocks: [
      ending("d", "fail"),
      ending("b", "succeed", { depends_on: [{ block: "d", required: true }], condition: "${blocks.d.failed}" }),
    ],
  });
  expect(state.root.record.blocks.b?.metadata.skipped).toBe(true);
  expect(events).toContainEqual(
    expect.objectContaining({ path: "b", reason: { kind: "dependency", message: "'d' failed, and is required." } }),
  );
});

test("a condition speaks for the dependencies it mentions, and for no other", async () => {
  const { engine } = createStepEngine();
  const { state } = await engine.run({
    blocks: [
      ending("d", "fail"),
      ending("other", "fail"),
      ending("b", "succeed", { depends_on: ["d", "other"], condition: "${blocks.d.failed}" }),
    ],
  });
  expect(state.root.record.blocks.b?.metadata.message).toBe("'other' failed, and is required.");
});

test("a mention inside a nested workflow is a mention of the block that holds it", async () => {
  const { engine } = createStepEngine({
    workflows: { child: { blocks: [ending("x", "fail"), ending("y", "succeed", { depends_on: ["x"] })] } },
  });
  const { state } = await engine.run({
    blocks: [
      call("d", "child"),
      ending("by_state", "succeed", { depends_on: ["d"], condition: "${blocks.d.blocks.x.failed}" }),
      ending("by_code", "succeed", { depends_on: ["d"], condition: "${blocks.d.blocks.x.code} != 0" }),
      ending("by_skip", "succeed", { depends_on: ["d"], condition: "${blocks.d.blocks.y.skipped}" }),
    ],
  });
  for (const id of ["by_state", "by_code", "by_skip"]) {
    expect(state.root.record.blocks[id]?.metadata.succeeded, id).toBe(true);
  }
});

test("a false condition skips the block, and the reason says so and quotes it", async () => {
  const { engine } = createStepEngine();
  const { state, events } = await engine.run({
    inputs: { go: { type: "bool", default: false, description: "?" } },
    blocks: [step("b", { condition: "${inputs.go} and true" })],
  });
  const message = "The condition is false: ${inputs.go} and true";
  expect(events).toContainEqual(expect.objectContaining({ path: "b", reason: { kind: "condition", message } }));
  expect(state.root.record.blocks.b?.metadata).toMatchObject({
    status: "skipped",
    outcome: "n/a",
    message,
    error: null,
  });
  expect(state.finished).toMatchObject({ status: "completed", outcome: "success" });
});

test("dependencies are judged before the condition is looked at", async () => {
  const { engine } = createStepEngine();
  const { events } = await engine.run({
    blocks: [
      ending("d", "crash"),
      giving("fine", "text"),
      step("b", { depends_on: ["d", "fine"], condition: "${blocks.fine.value} > 3" }),
    ],
  });
  expect(events).toContainEqual(
    expect.objectContaining({ path: "b", reason: expect.objectContaining({ kind: "dependency" }) }),
  );
});

test.each([
  { value: "text", condition: "${blocks.d.value}", says: "${blocks.d.value} gives the text 'text', not true or false" },
  { value: 1, condition: "${blocks.d.value}", says: "${blocks.d.value} gives the number 1, not true or false" },
  { value: null, condition: "${blocks.d.value}", says: "${blocks.d.value} gives null, not true or false" },
  { value: "text", condition: "${blocks.d.value} > 3", says: "${blocks.d.value} > 3: " },
  { value: { a: 1 }, condition: "${blocks.d.value.b}", says: "blocks.d.value.b does not exist" },
])("a condition that gives no boolean or can't be evaluated FAILS the block: $condition of $value", async (row) => {
  const { engine } = createStepEngine();
  const { response, state } = await engine.run({
    blocks: [giving("d", row.value), step("b", { depends_on: ["d"], condition: row.condition })],
  });
  expect(state.root.record.blocks.b?.metadata).toMatchObject({ status: "failed", outcome: "n/a" });
  expect(state.root.record.blocks.b?.metadata.message).toContain(row.says);
  expect(response).toMatchObject({ status: "failure", failed_blocks: [{ block: "b" }] });
});

test("independent branches go on whatever happens beside them", async () => {
  const { engine } = createStepEngine();
  const { state } = await engine.run({
    blocks: [
      ending("d", "crash"),
      ending("e", "fail"),
      ending("a", "succeed"),
      ending("b", "succeed", { depends_on: ["a"] }),
    ],
  });
  expect(state.root.record.blocks.b?.metadata.succeeded).toBe(true);
});
