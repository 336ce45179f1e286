import { expect, test } from "vitest";
import type { Clock } from "../../src/block/ports.ts";
import { executionMetadataFields, workflowMetadataFields } from "../../src/definition/metadata-fields.ts";
import type { Execution, Metadata } from "../../src/engine/execution.ts";
import { createTestEngine } from "../rig/engine.ts";
import { call, createStepEngine, ending, giving, step } from "../rig/step-engine.ts";

function all(record: Execution): Execution[] {
  return [record, ...Object.values(record.blocks).flatMap(all)];
}

const child = { blocks: [giving("x", 1), ending("y", "fail", { depends_on: ["x"] })] };
const blocks = [
  giving("good", 1),
  ending("bad", "fail"),
  ending("broken", "crash"),
  step("skipped", { depends_on: ["broken"] }),
  call("nested", "child"),
  giving("loop", "${each.value}", { for_each: ["a", "b"] }),
];

test("every execution, at any depth, says the same about itself", async () => {
  const { engine } = createStepEngine({ workflows: { child } });
  const { state } = await engine.run({ blocks });
  const records = all(state.root.record);
  expect(records).toHaveLength(11);
  for (const { metadata } of records) {
    const always = executionMetadataFields.filter((field) => !["attempt_history", "wake_at", "spend"].includes(field));
    expect(Object.keys(metadata)).toEqual(expect.arrayContaining(always));
    expect(metadata.error).toBe(metadata.failed ? metadata.message : null);
    expect(metadata.succeeded).toBe(metadata.status === "completed" && metadata.outcome === "success");
    expect(metadata.skipped).toBe(metadata.status === "skipped");
    expect(metadata.attempts).toBe(metadata.skipped ? 0 : 1);
    expect(new Date(metadata.started_at ?? "").toISOString()).toBe(metadata.started_at);
    expect((metadata.completed_at ?? "") >= (metadata.started_at ?? "z")).toBe(true);
  }
});

test("a run and a nested workflow say besides which workflow they are, each its own", async () => {
  const { engine } = createStepEngine({ workflows: { child } });
  const { state } = await engine.run({ blocks });
  const { metadata } = state.root.record;
  const nested = state.root.record.blocks.nested?.metadata as Metadata;
  for (const field of workflowMetadataFields) expect(nested[field], field).toBeDefined();
  expect(metadata).toMatchObject({ workflow_name: "test", total_blocks: 6, execution_waves: 2 });
  expect(nested).toMatchObject({
    workflow_name: "child",
    total_blocks: 2,
    execution_waves: 2,
    run_id: metadata.run_id,
  });
  expect(metadata.run_id).toMatch(/^run_[0-9a-z]{16}$/);
});

test("execution_id is another name of run_id, at every depth and in defaults", async () => {
  const id = "${metadata.execution_id}";
  const inputs = { id: { type: "string", description: "d", default: id } };
  const inner = { inputs, blocks: [giving("x", id)], outputs: { x: "${blocks.x.value}", id: "${inputs.id}" } };
  const { engine } = createStepEngine({ workflows: { inner } });
  const { response } = await engine.run({
    inputs,
    blocks: [giving("own", id), call("nested", "inner")],
    outputs: { own: "${blocks.own.value}", id: "${inputs.id}", x: "${blocks.nested.x}", nested: "${blocks.nested.id}" },
  });
  const run = response.run_id;
  expect(response.outputs).toEqual({ own: run, id: run, x: run, nested: run });
});

test("execution_order counts completions from 0 in each workflow, wave counts levels from 0", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({ blocks: [step("a"), step("b"), step("c", { depends_on: ["a"] })] });
  await run.idle();
  steps.succeed("b");
  await run.idle();
  steps.succeed("a");
  await run.idle();
  steps.succeed("c");
  const { state } = await run.settled;
  const pick = (field: string): unknown[] => ["a", "b", "c"].map((id) => state.root.record.blocks[id]?.metadata[field]);
  expect(pick("execution_order")).toEqual([1, 0, 2]);
  expect(pick("wave")).toEqual([0, 0, 1]);
});

test("expressions see the workflow's name, start, run and a key that is the same in every attempt", async () => {
  const { engine } = createStepEngine({
    workflows: { child: { blocks: [giving("x", "${metadata.workflow_name} ${metadata.idempotency_key}")] } },
  });
  const definition = {
    blocks: [giving("a", "${metadata.run_id} ${metadata.idempotency_key}"), call("nested", "child")],
    outputs: { name: "${metadata.workflow_name}", start: "${metadata.start_time}", wave: "${blocks.a.metadata.wave}" },
  };
  const { state, response, events } = await engine.run(definition);
  const keyOf = (path: string): unknown =>
    events.flatMap((event) => (event.type === "block-started" && event.path === path ? [event.idempotencyKey] : []))[0];
  expect(state.root.record.blocks.a?.outputs.value).toBe(`${state.started.runId} ${keyOf("a")}`);
  expect(state.root.record.blocks.nested?.blocks.x?.outputs.value).toBe(`child ${keyOf("nested/x")}`);
  expect(keyOf("a")).not.toBe(keyOf("nested/x"));
  expect({ ...response.outputs }).toEqual({ name: "test", start: state.started.at, wave: 0 });
});

test("a clock that is set back gives no negative duration and no end before its start", async () => {
  let wall = Date.UTC(2030, 0, 1);
  let steady = 1_000;
  const jumps = [500, -3_600_000, 20, -1, 86_400_000, -172_800_000];
  let calls = 0;
  const clock: Clock = {
    now() {
      wall += jumps[calls++ % jumps.length] as number;
      return new Date(wall);
    },
    monotonic() {
      steady += calls % 3 === 0 ? -5 : 2;
      return steady;
    },
  };
  const { engine } = createStepEngine({ workflows: { child }, clock });
  const { state, events } = await engine.run({ blocks });
  for (const { metadata } of all(state.root.record)) {
    expect(metadata.execution_time_ms).toBeGreaterThanOrEqual(0);
    expect((metadata.completed_at ?? "") >= (metadata.started_at ?? "z")).toBe(true);
  }
  const times = events.map(({ at }) => at);
  expect(times).toEqual(times.toSorted());
});

test("how a block went wins over an output of the same name, which is reached below outputs", async () => {
  const { response } = await createTestEngine().run({
    blocks: [
      {
        id: "a",
        type: "Shell",
        inputs: { command: 'printf mine > "$SCRATCH/s"' },
        outputs: { status: { path: "$SCRATCH/s" } },
      },
    ],
    outputs: { state: "${blocks.a.status}", own: "${blocks.a.outputs.status}" },
  });
  expect(response.outputs).toEqual({ state: "completed", own: "mine" });
});
