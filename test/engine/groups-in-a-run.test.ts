import { expect, test } from "vitest";
import { createTestEngine, type Written } from "../rig/engine.ts";
import { createFakeClock } from "../rig/fake-clock.ts";
import { createMachine } from "../rig/machine.ts";
import { call, createStepEngine, ending, giving, group, step } from "../rig/step-engine.ts";
import { endings } from "./endings.ts";

test("the time limit of a group ends everything in it, at any depth", async () => {
  const clock = createFakeClock();
  const { engine } = createStepEngine({ clock });
  const run = await engine.start({
    blocks: [
      group("g", [step("a"), group("h", [step("b")]), step("c", { depends_on: ["a"] })], { timeout: "5s" }),
      ending("d", "succeed"),
    ],
  });
  await run.idle();
  clock.advance(5000);
  const { state } = await run.settled;
  expect(endings(state)).toEqual({
    g: "failed",
    "g/a": "failed",
    "g/h": "failed",
    "g/h/b": "failed",
    "g/c": "skipped",
    d: "success",
  });
  expect(state.nodes.get("g")?.record.metadata.message).toBe("ran longer than its limit of 5s");
  expect(state.nodes.get("g")?.cause).toBe("timeout");
});

test("max_parallel of a group limits the leaves in it, and for_each the passes", async () => {
  const { engine, steps } = createStepEngine();
  const leaves = [step("a"), step("b"), group("h", [step("c")])];
  const run = await engine.start({ blocks: [group("g", leaves, { max_parallel: 2 })] });
  await run.idle();
  expect(steps.running).toEqual(["g/a", "g/b"]);
  steps.succeed("g/a");
  await run.idle();
  expect(steps.running).toEqual(["g/b", "g/h/c"]);
  await run.cancel();
  await run.settled;
  const loop = await engine.start({
    blocks: [group("l", [step("x"), step("y")], { for_each: [1, 2, 3], max_parallel: 2 })],
  });
  await loop.idle();
  expect(steps.running).toEqual(["l/0/x", "l/0/y", "l/1/x", "l/1/y"]);
  await loop.cancel();
  const { state } = await loop.settled;
  expect(state.finished).toMatchObject({ status: "failed", message: "cancelled" });
  expect(endings(state)).toMatchObject({ "l/0": "failed", "l/2": "skipped" });
});

test("on_error: stop withdraws the questions in a group, and skips the passes that have not begun", async () => {
  const { engine, steps } = createStepEngine();
  const asking = { id: "ask", type: "Prompt", inputs: { prompt: "Go on?" }, condition: "${each.index} == 0" };
  const run = await engine.start({
    blocks: [group("g", [asking, step("a")], { for_each: [1, 2, 3], max_parallel: 2, on_error: "stop" })],
  });
  await run.idle();
  steps.succeed("g/0/a");
  await run.idle();
  steps.fail("g/1/a");
  await run.idle();
  const rest = steps.running;
  for (const path of rest) steps.succeed(path);
  const { state, response } = await run.settled;
  expect(response.status).toBe("failure");
  expect(endings(state)).toMatchObject({ "g/0": "failed", "g/0/ask": "failed", "g/1": "failure" });
});

test("a group with nothing but questions and sleep left is paused, and whoever answers goes on in it", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const asking = { id: "ask", type: "Prompt", inputs: { prompt: "Go on, ${each.value}?" } };
  const definition = {
    blocks: [group("g", [asking, giving("b", "${blocks.ask.response} ${each.value}")], { for_each: ["x", "y"] })],
    outputs: { said: "${blocks.g.blocks['1'].blocks.b.value}" },
  };
  const started = await first.engine.start(definition);
  expect((await started.settled).response).toMatchObject({ status: "paused" });
  first.engine.process.die();
  const second = createStepEngine({ machine });
  const run = await second.engine.takeOver(started.runId);
  for (const key of [0, 1]) expect((await run.answer(`g/${key}/ask`, `yes ${key}`)).ok).toBe(true);
  expect((await run.goOn()).response).toMatchObject({ status: "success", outputs: { said: "yes 1 y" } });
});

test("whoever takes over a run goes on in its groups where they were", async () => {
  const machine = createMachine();
  const first = createStepEngine({ machine });
  const started = await first.engine.start({
    blocks: [
      giving("z", 5),
      group("g", [step("a"), group("h", [giving("b", "${blocks.a.value}"), step("c", { depends_on: ["b"] })])], {
        depends_on: ["z"],
      }),
    ],
    outputs: { b: "${blocks.g.blocks.h.blocks.b.value}" },
  });
  await started.idle();
  first.steps.succeed("g/a", 42);
  await started.idle();
  expect(first.steps.running).toEqual(["g/h/c"]);
  first.engine.process.die();
  const second = createStepEngine({ machine });
  const run = await second.engine.takeOver(started.runId);
  await run.idle();
  expect(second.steps.begun).toEqual(["g/h/c"]);
  second.steps.succeed("g/h/c");
  expect((await run.settled).response).toMatchObject({ status: "success", outputs: { b: 42 } });
});

test("groups are counted against the limit of nodes, before the run and in it", async () => {
  const { engine } = createStepEngine({ limits: { nodes: 30 } });
  const inner = [ending("a", "succeed"), ending("b", "succeed")];
  const loop = (elements: unknown): Written => ({
    blocks: [giving("n", 20), group("g", inner, { for_each: elements })],
  });
  const problems = engine.check(loop("${range(10)}")).diagnostics.filter(({ level }) => level === "error");
  expect(problems.map(({ message }) => message)).toEqual([
    "A run of 'test' would have 33 nodes (blocks and loop elements); the limit is 30.",
  ]);
  const { state } = await engine.run(loop("${range(blocks.n.value)}"));
  expect(state.finished).toMatchObject({ status: "failed" });
  expect(state.nodes.size).toBeLessThanOrEqual(30);
  expect([...state.nodes.values()].some(({ record }) => record.metadata.message?.includes("FROND_MAX_NODES"))).toBe(
    true,
  );
});

test("groups don't count as nested workflows, and don't hide that a workflow would call itself", async () => {
  const nested = (depth: number, inside: object): object =>
    depth === 0 ? inside : group(`g${depth}`, [nested(depth - 1, inside)]);
  const { engine } = createStepEngine({ maxDepth: 2, workflows: { child: { blocks: [ending("a", "succeed")] } } });
  const { state } = await engine.run({ blocks: [nested(20, call("c", "child"))] });
  expect(state.finished).toMatchObject({ outcome: "success" });
  expect([...state.nodes.values()].at(-1)?.path.split("/")).toHaveLength(22);

  const again = createStepEngine({
    workflows: {
      child: {
        blocks: [
          giving("name", "child"),
          group("g", [{ id: "c", type: "ExecuteWorkflow", inputs: { workflow: "${blocks.name.value}" } }]),
        ],
      },
    },
  });
  const cyclic = await again.engine.run({ blocks: [call("c", "child")] });
  expect(cyclic.state.nodes.get("c/g/c")?.record.metadata.message).toContain(
    "the workflow calls itself: child -> child.",
  );
});

test("secrets of the workflow reach the blocks in a group, and are recorded nowhere", async () => {
  const engine = createTestEngine({ secrets: { TOKEN: "very-secret" } });
  const printing = {
    id: "p",
    type: "Shell",
    inputs: { command: 'printf %s "$T" | wc -c; printf %s "$T"', env: { T: "${secrets.TOKEN}" } },
  };
  const { response, events } = await engine.run({
    blocks: [group("g", [printing], { for_each: [1] })],
    outputs: { said: "${blocks.g.blocks['0'].blocks.p.stdout}" },
  });
  expect(response.outputs?.said).toMatch(/^\s*11\n/);
  expect(JSON.stringify(events)).not.toContain("very-secret");
});

test("a group under finally runs whatever happened, and reads how the run and its blocks went", async () => {
  const { engine } = createStepEngine();
  const { state } = await engine.run({
    blocks: [ending("a", "crash"), giving("b", 1, { depends_on: ["a"] })],
    finally: [
      group(
        "report",
        [giving("how", "${run.status} ${blocks.a.status} ${blocks.b.skipped}"), giving("read", "${blocks.b.value}")],
        {
          for_each: [1],
        },
      ),
    ],
  });
  expect(endings(state)).toMatchObject({ report: "success", "report/0": "success", "report/0/read": "success" });
  expect(state.nodes.get("report/0/how")?.record.outputs.value).toBe("failure failed true");
});

test("a group that may fail does not fail the run", async () => {
  const { engine } = createStepEngine();
  const { response } = await engine.run({
    blocks: [group("g", [ending("a", "fail"), ending("b", "succeed")], { allow_failure: true })],
  });
  expect(response).toMatchObject({ status: "success", handled_failures: [{ block: "g", handled_by: [] }] });
});

test("vars and env of the workflow are known in its groups", async () => {
  const engine = createTestEngine();
  const saying = { id: "say", type: "Shell", inputs: { command: 'printf "%s, %s" "${vars.made}" "$WHO"' } };
  const { response } = await engine.run({
    vars: { made: "${blocks.first.stdout}" },
    env: { WHO: "world" },
    blocks: [
      { id: "first", type: "Shell", inputs: { command: "printf hello" } },
      group("g", [group("h", [saying])], { outputs: { said: "${blocks.h.blocks.say.stdout} after ${vars.made}" } }),
    ],
    outputs: { said: "${blocks.g.said}" },
  });
  expect(response.outputs).toEqual({ said: "hello, world after hello" });
});
