import { expect, test } from "vitest";
import { createTestEngine } from "../../test/rig/engine.ts";
import { findOverBudget } from "./over-budget.ts";
import { wordOverBudget } from "./word-spend.ts";

test("a run that has cost more than was said before says that it is over its budget", async () => {
  const { response } = await createTestEngine().run({
    budget: { max_cost_usd: 0.1 },
    blocks: [
      {
        id: "x",
        type: "Shell",
        cost: { usd: 0.05 },
        inputs: { command: 'echo \'{"usd": 7}\' > "$FROND_SPEND_FILE"' },
      },
    ],
  });
  expect(response).toMatchObject({ status: "success", spend: { usd: 7 }, over_budget: { max_cost_usd: 0.1 } });
  expect(wordOverBudget(response.over_budget)).toBe(", over its budget of $0.10");
});

test("one that has cost just as much is not", () => {
  expect(findOverBudget({ usd: 0.1, tokens: 5 }, { max_cost_usd: 0.1, max_tokens: 5 })).toBeUndefined();
  expect(findOverBudget({ usd: 0.1, tokens: 6 }, { max_cost_usd: 0.1, max_tokens: 5 })).toEqual({ max_tokens: 5 });
});
