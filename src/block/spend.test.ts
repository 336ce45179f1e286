import fc from "fast-check";
import { expect, test } from "vitest";
import { addCost, addSpend, type Spend } from "./spend.ts";

test("sums of money are what a person gets on paper", () => {
  const ten = Array.from({ length: 10 }).reduce<Spend | undefined>((sum) => addCost(sum, { usd: 0.1 }), undefined);
  expect(ten).toEqual({ usd: 1, tokens: 0 });
  expect(addCost(addCost(undefined, { usd: 0.1 }), { usd: 0.2 })).toEqual({ usd: 0.3, tokens: 0 });
});

test("a sum does not depend on the order of what is added", () => {
  const amounts = fc.array(fc.integer({ min: 0, max: 20_000_000_000 }), { maxLength: 40 });
  fc.assert(
    fc.property(amounts, fc.infiniteStream(fc.nat()), (billionths, random) => {
      const costs = billionths.map((count) => ({ usd: count / 1e9 }));
      const shuffled = costs
        .map((cost) => ({ cost, at: random.next().value as number }))
        .sort((one, other) => one.at - other.at)
        .map(({ cost }) => cost);
      const sum = (list: typeof costs): Spend | undefined => list.reduce<Spend | undefined>(addCost, undefined);
      expect(sum(shuffled)).toEqual(sum(costs));
      expect(sum(costs)?.usd ?? 0).toBe(billionths.reduce((one, other) => one + other, 0) / 1e9);
    }),
  );
});

test("a price that nobody knows stays unknown in every sum", () => {
  const unpriced = addCost(undefined, { tokens: 900 });
  expect(unpriced).toEqual({ usd: 0, tokens: 900, unpriced: true });
  expect(addSpend({ usd: 0.5, tokens: 1 }, unpriced)).toEqual({ usd: 0.5, tokens: 901, unpriced: true });
  expect(addSpend(unpriced, { usd: 0.5, tokens: 1 })).toEqual({ usd: 0.5, tokens: 901, unpriced: true });
});
