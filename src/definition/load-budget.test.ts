import { expect, test } from "vitest";
import { check, onlyProblem, shell, workflow } from "../../test/definition/check.ts";

test.each([
  [
    "max_cost_usd: $0.50",
    "'max_cost_usd' of budget of the workflow must be a number from 0 on",
    "Write `max_cost_usd: 0.50`.",
  ],
  ["max_cost_usd: -1", "'max_cost_usd' of budget of the workflow must be a number from 0 on", undefined],
  ["max_tokens: 1.5", "'max_tokens' of budget of the workflow must be a whole number from 0 on", undefined],
  ["max_blocks: 0", "'max_blocks' of budget of the workflow must be a whole number above 0", undefined],
  [
    "on_exceeded: stop",
    "The budget of the workflow limits nothing.",
    "Add `max_cost_usd: 0.50`, `max_tokens`, `max_duration` or `max_blocks`.",
  ],
  ["max_blocks: 1, on_exceeded: ask", "'on_exceeded' can't be 'ask'.", expect.stringContaining("pause")],
  ["max_budget: 0.10", "budget of the workflow has no key 'max_budget'.", expect.stringContaining("max_cost_usd")],
])("a budget says what is wrong with it: %s", (written, message, fix) => {
  const problem = onlyProblem(workflow(shell("a"), `budget: { ${written} }\n`));
  expect(problem).toMatchObject({ level: "error", message: expect.stringContaining(message) });
  if (fix !== undefined) expect(problem.fix).toEqual(fix);
});

test("a block that holds no others has a cost, not a budget; one that holds some has a budget, not a cost", () => {
  expect(onlyProblem(workflow(shell("a", "budget: { max_blocks: 2 }")))).toMatchObject({
    code: "budget-of-one-block",
    fix: expect.stringContaining("`cost: { usd: 0.02 }`"),
  });
  expect(check(workflow(shell("a", "budget: { max_blocks: 2 }, for_each: [1]"))).problems).toEqual([]);
  const group = "- { id: g, cost: { usd: 1 }, blocks: [{ id: a, type: Shell, inputs: { command: x } }] }";
  expect(onlyProblem(workflow(group))).toMatchObject({ code: "cost-of-holder" });
  expect(onlyProblem(workflow(shell("a", "cost: 0.02"))).fix).toBe("Write `cost: { usd: 0.02 }`.");
  expect(onlyProblem(workflow(shell("a", "cost: {}")))).toMatchObject({ code: "wrong-type" });
});

test("the budget of a workflow is not that of its groups", () => {
  const group = "- { id: g, blocks: [{ id: a, type: Shell, inputs: { command: x } }] }";
  const { plan } = check(workflow(group, "budget: { max_blocks: 2 }\n"));
  expect(plan?.definition.budget).toMatchObject({ maxBlocks: 2 });
  expect(plan?.blocks[0]?.group?.definition.budget).toBeUndefined();
});
