import { describe, expect, test } from "vitest";
import { createFakeClock } from "../rig/fake-clock.ts";
import { call, createStepEngine, giving, step } from "../rig/step-engine.ts";
import { checkBudgets } from "./check-budgets.ts";
import { costing, ids, question, starts } from "./costing.ts";

test("ten parallel steps with a budget for one: one starts", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    budget: { max_cost_usd: 0.1 },
    blocks: ids(10).map((id) => costing(id, 0.1)),
  });
  await run.idle();
  expect(steps.running).toEqual(["s0"]);
  steps.succeed("s0");
  await run.settled;
  expect(steps.begun).toEqual(["s0"]);
  expect(run.state.root.record.metadata.spend).toEqual({ usd: 0.1, tokens: 0 });
  expect(question(run)).toMatchObject({ path: "s1", audience: "human" });
  expect(question(run).text).toContain("the budget of the run allows $0.10, $0.10 are used, and 's1' may need $0.10");
  checkBudgets(run.events, run.state.plans);
});

test("one that costs less than it might leaves room for those that wait", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    budget: { max_cost_usd: 1 },
    blocks: [
      step("cheap", { cost: { usd: 1 }, inputs: { spends: { usd: 0.1 } } }),
      costing("other", 0.9),
      costing("third", 0.9),
    ],
  });
  await run.idle();
  expect(steps.running).toEqual(["cheap"]);
  expect(run.state.root.record.metadata.budget).toMatchObject({ max_cost_usd: 1, reserved: { usd: 1, tokens: 0 } });
  steps.succeed("cheap");
  await run.idle();
  expect(steps.running).toEqual(["other"]);
  expect(run.events.some(({ type }) => type === "budget-exceeded")).toBe(false);
  steps.succeed("other");
  await run.settled;
  expect(question(run)).toMatchObject({ path: "third" });
  checkBudgets(run.events, run.state.plans);
});

test("a cap of $20 with a fan-out of 50 steps at $2 ends at $20", async () => {
  const { engine } = createStepEngine();
  const { response, state, events } = await engine.run({
    budget: { max_cost_usd: 20, on_exceeded: "stop" },
    blocks: [giving("fan", "${each.value}", { for_each: ids(50), max_parallel: 50, cost: { usd: 2 } })],
  });
  expect(response.status).toBe("failure");
  expect(state.root.record.metadata.spend).toEqual({ usd: 20, tokens: 0 });
  expect(starts(events)).toHaveLength(10);
  const skipped = Object.values(state.root.record.blocks.fan?.blocks ?? {}).filter(({ metadata }) => metadata.skipped);
  expect(skipped).toHaveLength(40);
  expect(skipped[0]?.metadata.message).toBe(
    "Not started: the budget of the run allows $20.00, $20.00 are used, and 'fan/10' may need $2.00.",
  );
  expect(response.error).toBe("the budget of the run allows $20.00, $20.00 are used, and 'fan/10' may need $2.00");
  checkBudgets(events, state.plans);
});

test("tenths of a dollar are added as a person adds them: ten fit in one dollar", async () => {
  const { engine } = createStepEngine();
  const { response, state } = await engine.run({
    budget: { max_cost_usd: 1, on_exceeded: "stop" },
    blocks: [giving("fan", 1, { for_each: ids(10), for_each_mode: "sequential", cost: { usd: 0.1 } })],
  });
  expect(response.status).toBe("success");
  expect(state.root.record.metadata.spend).toEqual({ usd: 1, tokens: 0 });
});

test("a retry reserves again, and what is not tried again says why", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    budget: { max_cost_usd: 3, on_exceeded: "stop" },
    blocks: [costing("flaky", 2, { retry: { attempts: 5, delay: 0 } })],
  });
  await run.idle();
  steps.fail("flaky", "no luck");
  const { response, state } = await run.settled;
  expect(steps.begun).toEqual(["flaky"]);
  expect(state.root.record.metadata.spend).toEqual({ usd: 2, tokens: 0 });
  expect(state.root.record.blocks.flaky?.metadata).toMatchObject({
    outcome: "failure",
    message: "no luck; not tried again: the budget of the run allows $3.00, $2.00 are used, and 'flaky' may need $2.00",
  });
  expect(response.error).toContain("'flaky' may need $2.00");
});

test("what an attempt costs beyond its estimate is recorded in full, and nothing else starts", async () => {
  const { engine } = createStepEngine();
  const { state, events } = await engine.run({
    budget: { max_cost_usd: 1, on_exceeded: "stop" },
    blocks: [
      { id: "expensive", type: "Step", cost: { usd: 0.5 }, inputs: { ends: "succeed", spends: { usd: 7.5 } } },
      giving("free", 1, { depends_on: ["expensive"] }),
    ],
  });
  expect(state.root.record.metadata.spend).toEqual({ usd: 7.5, tokens: 0 });
  expect(starts(events)).toEqual(["expensive"]);
});

test("nested budgets: the tightest holds, and each tells what it has left", async () => {
  const child = {
    budget: { max_cost_usd: 3, on_exceeded: "stop" },
    blocks: ids(5).map((id) => giving(id, 1, { cost: { usd: 1 } })),
  };
  const { engine } = createStepEngine({ workflows: { child } });
  const { state, events } = await engine.run({
    budget: { max_cost_usd: 5, on_exceeded: "stop" },
    blocks: [
      call("one", "child", {}, { budget: { max_cost_usd: 2, on_exceeded: "stop" } }),
      call("two", "child", {}, { condition: "${blocks.one.failed}" }),
      giving("last", 1, { cost: { usd: 1 }, condition: "${blocks.two.failed}" }),
    ],
  });
  const { one, two, last } = state.root.record.blocks;
  expect(one?.metadata).toMatchObject({ spend: { usd: 2 }, budget: { max_cost_usd: 2, exceeded: { limit: "usd" } } });
  expect(two?.metadata).toMatchObject({ spend: { usd: 3 }, budget: { max_cost_usd: 3 } });
  expect(last?.metadata.skipped).toBe(true);
  expect(state.root.record.metadata).toMatchObject({ spend: { usd: 5 }, budget: { max_cost_usd: 5 } });
  checkBudgets(events, state.plans);
});

test("a budget of a loop is for all its passes, one of a group for all its attempts", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    blocks: [
      giving("loop", 1, { for_each: ids(9), cost: { usd: 1 }, budget: { max_cost_usd: 4, on_exceeded: "stop" } }),
      {
        id: "group",
        retry: { attempts: 3, delay: 0 },
        budget: { max_blocks: 2, on_exceeded: "stop" },
        blocks: [step("x")],
      },
    ],
  });
  await run.idle();
  steps.fail("group/x");
  await run.idle();
  steps.fail("group/x");
  const { state } = await run.settled;
  expect(state.root.record.blocks.loop?.metadata.spend).toEqual({ usd: 4, tokens: 0 });
  expect(steps.begun.filter((path) => path === "group/x")).toHaveLength(2);
  expect(state.root.record.blocks.group?.metadata.message).toBe(
    "the budget of 'group' allows 2 attempts, and 2 attempts have started",
  );
});

test("a workflow may go on without what has exceeded its budget: allow_failure", async () => {
  const { engine } = createStepEngine();
  const { response, events } = await engine.run({
    blocks: [
      {
        id: "try",
        allow_failure: true,
        budget: { max_cost_usd: 1, on_exceeded: "stop" },
        blocks: ids(3).map((id) => giving(id, 1, { cost: { usd: 1 } })),
      },
      giving("other", 1),
    ],
  });
  expect(response.status).toBe("success");
  expect(starts(events)).toHaveLength(2);
});

describe("a price that nobody knows", () => {
  const estimating = { estimate: () => ({ tokens: 100 }) };

  test("keeps a block from starting under max_cost_usd, and the message says what to write", async () => {
    const { steps } = createStepEngine();
    const type = { ...steps.type, ...estimating, type: "Unpriced" };
    const { engine } = createStepEngine({ types: [type] });
    const { response, state } = await engine.run({
      budget: { max_cost_usd: 1 },
      blocks: [{ id: "ask", type: "Unpriced", inputs: { ends: "succeed" } }],
    });
    expect(response.status).toBe("failure");
    expect(state.root.record.blocks.ask?.metadata.message).toBe(
      "Nobody knows what it may cost, and the budget of the run limits costs. Write the most that an attempt costs on the block: `cost: { usd: 0.05 }`.",
    );
  });

  test("is what its author says it is; without a budget for money, its tokens count", async () => {
    const { steps } = createStepEngine();
    const run = steps.type.behaviour;
    const type = { ...steps.type, ...estimating, type: "Unpriced", behaviour: run };
    const { engine } = createStepEngine({ types: [type] });
    const inputs = { ends: "succeed", spends: { tokens: 90 } };
    const priced = await engine.run({
      budget: { max_cost_usd: 1 },
      blocks: [{ id: "ask", type: "Unpriced", inputs, cost: { usd: 0.25 } }],
    });
    expect(priced.state.root.record.metadata.spend).toEqual({ usd: 0.25, tokens: 90 });
    const counted = await engine.run({
      budget: { max_tokens: 150, on_exceeded: "stop" },
      blocks: [
        { id: "ask", type: "Unpriced", inputs },
        { id: "again", type: "Unpriced", inputs, depends_on: ["ask"] },
      ],
    });
    expect(counted.state.root.record.metadata.spend).toEqual({ usd: 0, tokens: 90, unpriced: true });
    expect(counted.response.error).toBe(
      "the budget of the run allows 150 tokens, 90 tokens are used, and 'again' may need 100 tokens",
    );
  });
});

test("max_blocks counts attempts that start", async () => {
  const { engine } = createStepEngine();
  const { events, response } = await engine.run({
    budget: { max_blocks: 3, on_exceeded: "stop" },
    blocks: [giving("loop", 1, { for_each: ids(8), max_parallel: 8 })],
  });
  expect(starts(events)).toHaveLength(3);
  expect(response.error).toBe("the budget of the run allows 3 attempts, and 3 attempts have started");
});

test("max_duration counts the time in which something runs, not pauses and not sleeping", async () => {
  const clock = createFakeClock();
  const { engine, steps } = createStepEngine({ clock });
  const run = await engine.start({
    budget: { max_duration: "60s", on_exceeded: "stop" },
    blocks: [
      step("one"),
      step("asks", { depends_on: ["one"], inputs: { ends: "pause" } }),
      step("two", { depends_on: ["asks"] }),
      step("three", { depends_on: ["two"] }),
    ],
  });
  await run.idle();
  clock.advance(30_000);
  steps.succeed("one");
  await run.settled;
  clock.advance(3_600_000);
  await run.answer("asks", "yes");
  const gone = run.goOn();
  await run.idle();
  expect(steps.running).toEqual(["two"]);
  clock.advance(30_000);
  steps.succeed("two");
  const { response } = await gone;
  expect(steps.begun).not.toContain("three");
  expect(response.error).toBe("the budget of the run allows 1m 0s, and 1m 0s are used");
});

test("what is under finally is counted, and never held back", async () => {
  const { engine } = createStepEngine();
  const { state, response } = await engine.run({
    budget: { max_cost_usd: 1, max_blocks: 1, on_exceeded: "stop" },
    blocks: [giving("one", 1, { cost: { usd: 1 } }), giving("two", 1, { depends_on: ["one"] })],
    finally: [giving("clean", "${run.status}", { cost: { usd: 5 } })],
  });
  expect(response.status).toBe("failure");
  expect(state.root.record.blocks.clean?.metadata.succeeded).toBe(true);
  expect(state.root.record.blocks.clean?.outputs.value).toBe("failure");
  expect(state.root.record.metadata.spend).toEqual({ usd: 6, tokens: 0 });
});
