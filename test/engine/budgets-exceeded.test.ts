import { describe, expect, test } from "vitest";
import { createMachine } from "../rig/machine.ts";
import { createStepEngine, step } from "../rig/step-engine.ts";
import { checkBudgets } from "./check-budgets.ts";
import { costing, ids, question } from "./costing.ts";
import { foldAnew, snapshot } from "./snapshot.ts";

describe("on_exceeded: pause", () => {
  const workflow = { budget: { max_cost_usd: 2 }, blocks: [...ids(2).map((id) => costing(id, 1)), costing("late", 1)] };

  test("finishes what is in flight and then asks a person; a raise goes on, and is on record", async () => {
    const { engine, steps } = createStepEngine();
    const run = await engine.start(workflow);
    await run.idle();
    expect(steps.running).toEqual(["s0", "s1"]);
    steps.succeed("s0");
    await run.idle();
    expect(run.state.questions.size).toBe(0);
    steps.succeed("s1");
    await run.settled;
    expect(question(run).path).toBe("late");
    expect(run.state.root.record.metadata.budget).toMatchObject({
      exceeded: { limit: "usd", block: "late", needs: 1 },
    });
    expect(await run.answer("late", "maybe")).toMatchObject({ ok: false });
    expect(await run.answer("late", "2.5")).toEqual({
      ok: false,
      error: "$2.50 is not enough: $2.00 are used and what waits may need $1.00.",
    });
    expect(await run.answer("late", "+1")).toMatchObject({ ok: true });
    const gone = run.goOn();
    await run.idle();
    expect(steps.running).toEqual(["late"]);
    steps.succeed("late");
    const { response, events, state } = await gone;
    expect(response.status).toBe("success");
    expect(events).toContainEqual(
      expect.objectContaining({ type: "budget-raised", path: "", limit: "usd", from: 2, to: 3 }),
    );
    expect(state.root.record.metadata).toMatchObject({ spend: { usd: 3 }, budget: { max_cost_usd: 3 } });
    expect(state.root.record.metadata.budget).not.toHaveProperty("exceeded");
    checkBudgets(events, state.plans);
    expect(snapshot(foldAnew(events, state.plans))).toBe(snapshot(state));
  });

  test("the answer stop starts nothing else, and says who decided", async () => {
    const { engine, steps } = createStepEngine();
    const run = await engine.start(workflow);
    await run.idle();
    steps.succeed("s0");
    steps.succeed("s1");
    await run.settled;
    await run.answer("late", "stop");
    const { response, events, state } = await run.goOn();
    expect(response.status).toBe("failure");
    expect(response.error).toContain("the budget of the run allows $2.00");
    expect(state.root.record.blocks.late?.metadata.skipped).toBe(true);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "budget-exceeded", action: "stop", by: expect.any(String) }),
    );
  });

  test("cancelling a run that asks ends it", async () => {
    const { engine, steps } = createStepEngine();
    const run = await engine.start(workflow);
    await run.idle();
    steps.succeed("s0");
    steps.succeed("s1");
    await run.settled;
    await run.cancel();
    const { response, state } = await run.goOn();
    expect(response).toMatchObject({ status: "failure", cancelled: true });
    expect(state.root.record.blocks.late?.metadata.skipped).toBe(true);
  });

  test("other branches whose budget has room go on meanwhile", async () => {
    const { engine, steps } = createStepEngine();
    const run = await engine.start({
      blocks: [
        { id: "poor", budget: { max_cost_usd: 1 }, blocks: [costing("a", 1), costing("b", 1)] },
        { id: "rich", blocks: [costing("c", 5), costing("d", 5)] },
      ],
    });
    await run.idle();
    expect(steps.running).toEqual(["poor/a", "rich/c", "rich/d"]);
    steps.succeed("poor/a");
    await run.idle();
    expect([...run.state.questions.values()].map(({ path }) => path)).toEqual(["poor/b"]);
    steps.succeed("rich/c");
    steps.succeed("rich/d");
    await run.settled;
    await run.answer("poor/b", "raise to $2");
    const gone = run.goOn();
    await run.idle();
    steps.succeed("poor/b");
    expect((await gone).response.status).toBe("success");
  });
});

test("a run that another process goes on with has the same sums, and a lost attempt is charged at its estimate", async () => {
  const machine = createMachine();
  const before = createStepEngine({ machine });
  const run = await before.engine.start({
    budget: { max_cost_usd: 3 },
    blocks: [
      step("done", { inputs: { ends: "succeed", spends: { usd: 0.5 } }, cost: { usd: 1 } }),
      costing("lost", 1, { depends_on: ["done"] }),
      costing("next", 1, { depends_on: ["lost"] }),
    ],
  });
  await run.idle();
  expect(before.steps.running).toEqual(["lost"]);
  before.engine.process.die();
  const after = createStepEngine({ machine });
  const taken = await after.engine.takeOver(run.runId);
  await taken.idle();
  expect(after.steps.running).toEqual(["lost"]);
  expect(taken.state.root.record.metadata).toMatchObject({ spend: { usd: 1.5 }, budget: { reserved: { usd: 1 } } });
  after.steps.succeed("lost");
  await taken.settled;
  expect(question(taken).text).toContain("$2.50 are used, and 'next' may need $1.00");
  checkBudgets(taken.events, taken.state.plans);
});

test("a crash while a person is asked leaves the question, which can be answered in another process", async () => {
  const machine = createMachine();
  const before = createStepEngine({ machine });
  const run = await before.engine.start({
    budget: { max_cost_usd: 1 },
    blocks: [costing("one", 1), costing("two", 1), costing("three", 1)],
  });
  await run.idle();
  before.steps.succeed("one");
  await run.settled;
  before.engine.process.die();
  const after = createStepEngine({ machine });
  const taken = await after.engine.takeOver(run.runId);
  await taken.settled;
  expect(question(taken).path).toBe("two");
  await taken.answer("two", "3");
  const gone = taken.goOn();
  await taken.idle();
  expect([...after.steps.running].sort()).toEqual(["three", "two"]);
  after.steps.succeed("two");
  after.steps.succeed("three");
  const { response, events, state } = await gone;
  expect(response.status).toBe("success");
  expect(state.root.record.metadata.spend).toEqual({ usd: 3, tokens: 0 });
  checkBudgets(events, state.plans);
});
