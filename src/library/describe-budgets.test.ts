import { expect, test } from "vitest";
import { check, shell, workflow } from "../../test/definition/check.ts";
import { summariseBudgets, wordBudgets } from "./describe-budgets.ts";

test("budgets are told before a run, and which blocks they count but can't cap", () => {
  const group =
    "- { id: g, budget: { max_blocks: 3, on_exceeded: stop }, blocks: [{ id: b, type: Shell, inputs: { command: x } }] }";
  const file = "- { id: f, type: CreateFile, inputs: { path: f, content: x } }";
  const text = workflow(
    [shell("a"), shell("capped", "cost: { usd: 0.1 }"), group, file].join("\n"),
    "budget: { max_cost_usd: 0.5, max_duration: 15m }\n",
  );
  const { definition } = check(text);
  const summary = definition && summariseBudgets(definition);
  expect(summary).toEqual({
    limits: [
      { max_cost_usd: 0.5, max_duration: 900, on_exceeded: "pause" },
      { block: "g", max_blocks: 3, on_exceeded: "stop" },
    ],
    not_capped: ["a", "g/b"],
  });
  expect(summary && wordBudgets(summary)).toBe(
    "$0.50, 15m 0s (pause); g: 3 attempts (stop); counted, not capped: a, g/b",
  );
});

test("without a budget nothing is told; where only attempts are limited, all are capped", () => {
  const without = check(workflow(shell("a"))).definition;
  expect(without && summariseBudgets(without)).toBeUndefined();
  const counted = check(workflow(shell("a"), "budget: { max_blocks: 3 }\n")).definition;
  expect(counted && summariseBudgets(counted)).not.toHaveProperty("not_capped");
});
