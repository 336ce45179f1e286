import { expect, test } from "vitest";
import type { Execution } from "../../src/engine/execution.ts";
import { call, createStepEngine, giving, step } from "../rig/step-engine.ts";
import { foldAnew, snapshot } from "./snapshot.ts";

function spending(id: string, usd: number, more: object = {}): object {
  return { id, type: "Step", inputs: { ends: "succeed", spends: { usd, tokens: 10 } }, ...more };
}

function spendOf(record: Execution | undefined, ...keys: readonly string[]): unknown {
  const found = keys.reduce<Execution | undefined>((at, key) => at?.blocks[key], record);
  return found?.metadata.spend;
}

test("what blocks cost is summed up at every depth: loops, groups, nested workflows and the run", async () => {
  const child = { blocks: [spending("inner", 0.1)] };
  const { engine } = createStepEngine({ workflows: { child } });
  const { state, events } = await engine.run({
    blocks: [
      spending("one", 0.1),
      call("nested", "child"),
      spending("loop", 0.2, { for_each: ["a", "b"] }),
      { id: "group", blocks: [spending("grouped", 0.3)] },
      giving("free", 1),
    ],
    outputs: { loop: "${blocks.loop.metadata.spend.usd}", free: "${blocks.free.metadata.spend.tokens}" },
  });
  const { record } = state.root;
  expect(spendOf(record)).toEqual({ usd: 0.9, tokens: 50 });
  expect(spendOf(record, "one")).toEqual({ usd: 0.1, tokens: 10 });
  expect(spendOf(record, "nested")).toEqual({ usd: 0.1, tokens: 10 });
  expect(spendOf(record, "nested", "inner")).toEqual({ usd: 0.1, tokens: 10 });
  expect(spendOf(record, "loop")).toEqual({ usd: 0.4, tokens: 20 });
  expect(spendOf(record, "loop", "1")).toEqual({ usd: 0.2, tokens: 10 });
  expect(spendOf(record, "group")).toEqual({ usd: 0.3, tokens: 10 });
  expect(spendOf(record, "free")).toBeUndefined();
  expect(record.outputs).toEqual({ loop: 0.4, free: 0 });
  expect(snapshot(foldAnew(events, state.plans))).toBe(snapshot(state));
});

test("every attempt costs what it costs, and the record tells which", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    blocks: [step("flaky", { inputs: { spends: { usd: 0.1 } }, retry: { attempts: 2, delay: 0 } })],
  });
  await run.idle();
  steps.fail("flaky");
  await run.idle();
  steps.succeed("flaky");
  const { state } = await run.settled;
  const { metadata } = state.root.record.blocks.flaky as Execution;
  expect(metadata.spend).toEqual({ usd: 0.2, tokens: 0 });
  expect(metadata.attempt_history).toMatchObject([{ spend: { usd: 0.1 } }, { spend: { usd: 0.1 } }]);
});

test("a retried group has cost all that its attempts cost", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    blocks: [
      { id: "group", retry: { attempts: 2, delay: 0 }, blocks: [step("x", { inputs: { spends: { usd: 1 } } })] },
    ],
  });
  await run.idle();
  steps.fail("group/x");
  await run.idle();
  steps.succeed("group/x");
  const { state } = await run.settled;
  const { group } = state.root.record.blocks;
  expect(spendOf(group)).toEqual({ usd: 2, tokens: 0 });
  expect(spendOf(group, "x")).toEqual({ usd: 1, tokens: 0 });
  expect(group?.metadata.attempt_history).toMatchObject([{ spend: { usd: 1 } }, { spend: { usd: 1 } }]);
});

test("what a block cost before its question is not lost", async () => {
  const { engine } = createStepEngine();
  const run = await engine.start({
    blocks: [{ id: "ask", type: "Step", inputs: { ends: "pause", spends: { usd: 0.1, tokens: 5 } } }],
  });
  await run.settled;
  expect(spendOf(run.state.root.record, "ask")).toEqual({ usd: 0.1, tokens: 5 });
  await run.answer("ask", "yes");
  const { state } = await run.goOn();
  // It tells once more what it costs when it goes on.
  expect(spendOf(state.root.record)).toEqual({ usd: 0.2, tokens: 10 });
});

test("spend of a block that fails, crashes or is cancelled counts", async () => {
  const { engine, steps } = createStepEngine();
  const run = await engine.start({
    blocks: ["failed", "crashed", "cancelled"].map((id) => step(id, { inputs: { spends: { usd: 0.1 } } })),
  });
  await run.idle();
  steps.fail("failed");
  steps.crash("crashed");
  await run.idle();
  await run.cancel();
  const { state } = await run.settled;
  expect(spendOf(state.root.record)).toEqual({ usd: 0.3, tokens: 0 });
});
