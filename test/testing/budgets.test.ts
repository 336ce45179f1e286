import { expect, test } from "vitest";
import { shell } from "../rig/frond.ts";
import { mismatchesOf, type Tested } from "../rig/test-files.ts";

const tested: Tested = {
  workflow: {
    budget: { max_cost_usd: 1 },
    blocks: [shell("ask", "true", { for_each: ["a", "b", "c"], max_parallel: 1, cost: { usd: 0.5 } })],
    outputs: { spent: "${blocks.ask.metadata.spend.usd}" },
  },
};

test("in frond test budgets hold, and a mock says what its block costs", async () => {
  expect(
    await mismatchesOf(tested, {
      mocks: { "ask/*": { spend: { usd: 0.1, tokens: 5 } } },
      expect: { outputs: { spent: 0.3 } },
    }),
  ).toEqual([]);
});

test("a mock that says nothing costs what its block says, and an exceeded budget asks: an answer raises it", async () => {
  const mocks = { "ask/*": {} };
  expect(await mismatchesOf(tested, { mocks, expect: { status: "paused" } })).toEqual([]);
  expect(
    await mismatchesOf(tested, { mocks, answers: { "ask/2": "1.50" }, expect: { outputs: { spent: 1.5 } } }),
  ).toEqual([]);
  expect(await mismatchesOf(tested, { mocks, answers: { "ask/2": "stop" }, expect: { status: "failure" } })).toEqual(
    [],
  );
});
