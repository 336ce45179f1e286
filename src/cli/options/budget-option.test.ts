import { expect, test } from "vitest";
import { askedBudget, parseBudget } from "./budget-option.ts";

test("every limit of a budget can be given, and a number alone means dollars", () => {
  expect(parseBudget("usd=0.50, tokens=200_000,duration=15m,blocks=40,on_exceeded=stop")).toEqual({
    maxCostUsd: 0.5,
    maxTokens: 200_000,
    maxDuration: 900,
    maxBlocks: 40,
    onExceeded: "stop",
  });
  expect(parseBudget("$0.10")).toEqual({ maxCostUsd: 0.1 });
  expect(parseBudget("0.10,on_exceeded=rollback")).toEqual({ maxCostUsd: 0.1, onExceeded: "rollback" });
});

test.each([
  "",
  "usd=",
  "usd=-1",
  "dollars=3",
  "tokens=1.5",
  "blocks=0",
  "duration=soon",
  "on_exceeded=stop",
  "usd=1,on_exceeded=ask",
])("'%s' is refused", (text) => {
  expect(() => parseBudget(text)).toThrow();
});

test("of two limits of money the lower one holds", () => {
  expect(askedBudget({ maxCost: 2, budget: { maxCostUsd: 1, maxBlocks: 3 } })).toEqual({ maxCostUsd: 1, maxBlocks: 3 });
  expect(askedBudget({ maxCost: 2 })).toEqual({ maxCostUsd: 2 });
  expect(askedBudget({})).toBeUndefined();
});
