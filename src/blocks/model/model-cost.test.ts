import { describe, expect, test } from "vitest";
import type { Cost, ModelPrice } from "../../block/spend.ts";
import { llmCall } from "../llm-call.ts";
import { costOf, SpendMeter } from "./model-cost.ts";

const price: ModelPrice = { input: 2, output: 10, cacheRead: 0.5 };

test("tokens cost what their kind costs; what a cache keeps costs as input where nothing else is said", () => {
  const usage = { input: 1000, cacheRead: 2000, cacheWrite: 500, output: 100 };
  expect(costOf(usage, price)).toEqual({ usd: (1000 * 2 + 2000 * 0.5 + 500 * 2 + 100 * 10) / 1e6, tokens: 3600 });
  expect(costOf(usage, undefined)).toEqual({ tokens: 3600 });
});

test("a long prompt has another price for all of the call", () => {
  const long = { ...price, longPrompts: { above: 1000, input: 4, output: 15 } };
  expect(costOf({ input: 1000, output: 10 }, long).usd).toBeCloseTo(0.0021, 12);
  expect(costOf({ input: 1001, output: 10 }, long).usd).toBeCloseTo((1001 * 4 + 10 * 15) / 1e6, 12);
});

test("what is told as more is known adds up to the cost, each part told once", () => {
  const told: Cost[] = [];
  const meter = new SpendMeter(price, (cost) => told.push(cost));
  meter.tell({});
  meter.tell({ input: 1000 });
  meter.tell({ input: 1000 });
  meter.tell({ input: 1000, output: 100 });
  expect(told).toEqual([
    { usd: 0.002, tokens: 1000 },
    { usd: 0.001, tokens: 100 },
  ]);
});

test("without a price tokens are told alone", () => {
  const told: Cost[] = [];
  const meter = new SpendMeter(undefined, (cost) => told.push(cost));
  meter.tell({});
  meter.tell({ input: 3, output: 4 });
  expect(told).toEqual([{ tokens: 7 }]);
});

describe("the estimate", () => {
  const prices = { of: (model: string) => (model === "anthropic/m" ? price : undefined) };
  const estimate = (inputs: object): Cost | undefined => {
    const parsed = llmCall.inputs().parse({ model: "anthropic/m", prompt: "x", ...inputs });
    return llmCall.estimate?.(parsed as never, prices);
  };

  test("is never below what the bytes of the prompt and max_tokens can cost", () => {
    const texts = ["plain", "ünï€😀", "\ufdfa".repeat(20), "a".repeat(10_000)];
    for (const prompt of texts) {
      const bytes = Math.max(Buffer.byteLength(prompt), Buffer.byteLength(prompt.normalize("NFKC")));
      const { usd = 0, tokens = 0 } = estimate({ prompt, system: "be", max_tokens: 100 }) ?? {};
      expect(tokens).toBeGreaterThanOrEqual(bytes + 2 + 100);
      expect(usd).toBeGreaterThanOrEqual(((bytes + 2) * 2 + 100 * 10) / 1e6);
      expect(tokens).toBeLessThan(bytes + 2 + 100 + 300);
    }
  });

  test("is what a provider takes that keeps the input for later calls", () => {
    const expensive = { of: () => ({ input: 2, cacheWrite: 2.5, output: 0 }) };
    const parsed = llmCall.inputs().parse({ model: "openai/m", prompt: "x".repeat(1000), max_tokens: 1 });
    expect(llmCall.estimate?.(parsed as never, expensive)?.usd).toBeCloseTo((1200 * 2.5) / 1e6, 12);
  });

  test("covers the second call that a schema may take, with the first answer in it", () => {
    const schema = { type: "number" };
    const once = estimate({ max_tokens: 1000 })?.tokens ?? 0;
    const twice = estimate({ max_tokens: 1000, schema })?.tokens ?? 0;
    expect(twice).toBeGreaterThan(2 * once + 1000 + 3 * 2000);
  });

  test("of an unknown model has tokens and no price", () => {
    expect(estimate({ model: "anthropic/other", max_tokens: 100 })).toEqual({ tokens: expect.any(Number) });
  });
});
