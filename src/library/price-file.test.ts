import { expect, test } from "vitest";
import { modelPrices } from "../platform/model-prices.ts";
import { readPriceFile } from "./price-file.ts";

const read = (text: string) => {
  const { prices, problems } = readPriceFile("prices.yaml", text);
  return { prices: Object.fromEntries(prices), problems };
};

test("prices are read by model, as YAML or JSON", () => {
  const text = `
anthropic/m: { input: 3, output: 15, cache_read: 0.3, cache_write: 3.75 }
openai-compatible/meta/llama: { input: 0, output: 0 }
openai/m:
  input: 2
  output: 10
  long_prompts: { above: 272000, input: 4, output: 15 }
`;
  expect(read(text)).toEqual({
    prices: {
      "anthropic/m": { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
      "openai-compatible/meta/llama": { input: 0, output: 0 },
      "openai/m": { input: 2, output: 10, longPrompts: { above: 272_000, input: 4, output: 15 } },
    },
    problems: [],
  });
  expect(read('{"a/b": {"input": 1, "output": 2}}').prices).toEqual({ "a/b": { input: 1, output: 2 } });
});

test.each([
  ["a/b: { input: 1 }", "prices.yaml:1: the price of 'a/b' has no 'output'."],
  ["\na/b: { input: '1', output: 2 }", "prices.yaml:2: 'input' of the price of 'a/b' must be a number, 0 or more, not"],
  ["a/b: { input: -1, output: 2 }", "'input' of the price of 'a/b' must be a number, 0 or more, not the number -1."],
  ["a/b: { input: 1, output: 2, cached: 3 }", "prices.yaml:1: the price of 'a/b' has no field 'cached'."],
  ["a/b: { input: 1, output: 2, outptu: 3 }", "Did you mean 'output'?"],
  ["a/b: 3", "prices.yaml:1: the price of 'a/b' must be a map such as { input: 3, output: 15 }, not the number 3."],
  ["m: { input: 1, output: 2 }", "prices.yaml:1: 'm' names no model: write provider/name, such as anthropic/m."],
  ["a/b: { input: 1, output: 2, long_prompts: { input: 1, output: 2 } }", "'long_prompts' of 'a/b' has no 'above'."],
  ["[1]", "prices.yaml:1: prices are a map of models, not a list."],
  ["a/b: {", "prices.yaml:1:"],
  ["", "prices.yaml:1: The file is empty."],
])("%j is told with its line and field", (text, expected) => {
  expect(read(text).problems).toEqual([expect.stringContaining(expected)]);
});

test("a price that can't be read is unknown, and the others hold", () => {
  const { prices } = readPriceFile("prices.yaml", "a/b: 3\nc/d: { input: 1, output: 2 }");
  expect([...prices]).toEqual([
    ["a/b", undefined],
    ["c/d", { input: 1, output: 2 }],
  ]);
});

test.each(Object.entries(modelPrices))("the known price of %s is a price", (model, price) => {
  const { input, output, cacheRead = 0, cacheWrite = input, longPrompts } = price;
  expect(model).toMatch(/^(anthropic|openai)\/[a-z0-9.-]+$/);
  expect(input).toBeGreaterThan(0);
  expect(output).toBeGreaterThan(input);
  expect(cacheRead).toBeLessThan(input);
  expect(cacheWrite).toBeGreaterThanOrEqual(input);
  if (longPrompts === undefined) return;
  expect(longPrompts.above).toBeGreaterThanOrEqual(100_000);
  expect([longPrompts.input > input, longPrompts.output > output]).toEqual([true, true]);
});
