import { expect, test } from "vitest";
import { call, createStepEngine, ending, step } from "../rig/step-engine.ts";

test("stop starts nothing new, and lets what runs come to its end", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    blocks: [step("a", { on_failure: "stop" }), step("b"), step("c", { depends_on: ["b"] })],
  });
  await run.idle();
  steps.fail("a");
  await run.idle();
  steps.succeed("b");
  const { state, response } = await run.settled;
  expect(steps.begun).toEqual(["a", "b"]);
  expect(state.nodes.get("b")?.record.metadata.succeeded).toBe(true);
  expect(state.nodes.get("c")?.record.metadata).toMatchObject({
    skipped: true,
    message: "Not started: 'a' failed, and its on_failure is stop.",
  });
  expect(response.status).toBe("failure");
  expect(response.error).toBe("'a' failed: it went wrong");
});

test("on_failure of a workflow holds for its blocks that say nothing themselves", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    on_failure: "stop",
    blocks: [step("a", { on_failure: "continue" }), step("b"), step("c"), step("d", { depends_on: ["c"] })],
  });
  await run.idle();
  steps.fail("a");
  await run.idle();
  expect(run.state.failures.size).toBe(0);
  steps.fail("b");
  await run.idle();
  steps.succeed("c");
  const { state } = await run.settled;
  expect(state.nodes.get("d")?.record.metadata.skipped).toBe(true);
});

test("a failure that a condition asks about stops nothing before that block is judged, and nothing once it is answered", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    on_failure: "stop",
    blocks: [
      step("a"),
      step("slow"),
      step("instead", { condition: "${blocks.a.failed} and ${blocks.slow.succeeded}" }),
      step("after", { depends_on: ["instead"] }),
    ],
  });
  await run.idle();
  steps.fail("a");
  await run.idle();
  steps.succeed("slow");
  await run.idle();
  steps.succeed("instead");
  await run.idle();
  steps.succeed("after");
  const { response } = await run.settled;
  expect(steps.begun).toEqual(["a", "slow", "instead", "after"]);
  expect(response.status).toBe("success");
});

test("a failure that a condition asks about stops the rest once nothing answers it", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    on_failure: "stop",
    blocks: [
      step("a"),
      step("slow"),
      step("instead", { condition: "${blocks.a.failed} and ${blocks.slow.failed}" }),
      step("last", { depends_on: ["slow"] }),
    ],
  });
  await run.idle();
  steps.fail("a");
  await run.idle();
  steps.succeed("slow");
  const { state } = await run.settled;
  expect(state.nodes.get("last")?.record.metadata.message).toBe("Not started: 'a' failed, and its on_failure is stop.");
});

test("on_failure never fires for a failure that is allowed", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    on_failure: "stop",
    blocks: [ending("a", "fail", { allow_failure: true }), step("b"), step("c", { depends_on: ["b"] })],
  });
  await run.idle();
  steps.succeed("b");
  await run.idle();
  steps.succeed("c");
  expect((await run.settled).response.status).toBe("success");
});

test("on_failure fires after the last attempt", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    on_failure: "stop",
    blocks: [step("a", { retry: { attempts: 2, delay: 0 } }), step("b"), step("c", { depends_on: ["b"] })],
  });
  await run.idle();
  steps.fail("a");
  await run.idle();
  expect(run.events.some(({ type }) => type === "workflow-stopping")).toBe(false);
  steps.fail("a");
  await run.idle();
  expect(run.events.some(({ type }) => type === "workflow-stopping")).toBe(true);
  steps.succeed("b");
  expect((await run.settled).state.nodes.get("c")?.record.metadata.skipped).toBe(true);
});

test("what a block in a group asks for stops the group, and then what is around it", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    blocks: [
      { id: "g", blocks: [step("a", { on_failure: "stop" }), step("b"), step("c", { depends_on: ["b"] })] },
      step("d"),
      step("e", { depends_on: ["d"] }),
    ],
  });
  await run.idle();
  steps.fail("g/a");
  await run.idle();
  steps.succeed("g/b");
  await run.idle();
  steps.succeed("d");
  const { state } = await run.settled;
  expect(state.nodes.get("g/c")?.record.metadata.skipped).toBe(true);
  expect(state.nodes.get("e")?.record.metadata.skipped).toBe(true);
});

test("stop in a nested workflow stops that one alone", async () => {
  const child = { on_failure: "stop", blocks: [ending("a", "fail"), step("b", { depends_on: ["x"] }), step("x")] };
  const { engine, steps } = createStepEngine({ workflows: { child } });
  const run = await engine.start({
    blocks: [call("nested", "child"), step("c"), step("d", { depends_on: ["c"] })],
  });
  await run.idle();
  steps.succeed("nested/x");
  await run.idle();
  steps.succeed("c");
  await run.idle();
  steps.succeed("d");
  const { state } = await run.settled;
  expect(state.nodes.get("nested/b")?.record.metadata.skipped).toBe(true);
  expect(state.nodes.get("d")?.record.metadata.succeeded).toBe(true);
});
