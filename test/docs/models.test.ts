import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ModelPrice } from "../../src/block/spend.ts";
import { modelPrices, pricesOf } from "../../src/platform/model-prices.ts";

const guide = readFileSync("docs/models.md", "utf8");

function rowOf([model, { input, output, longPrompts: long }]: readonly [string, ModelPrice]): string {
  if (long === undefined) return `| \`${model}\` | ${input} | ${output} |`;
  const above = `above ${long.above.toLocaleString("en")} tokens of input`;
  return `| \`${model}\` | ${input}; ${above} ${long.input} | ${output}; ${long.output} |`;
}

test("the guide to models shows the prices that Frond knows, and of which day they are", () => {
  const rows = Object.entries(modelPrices).map(rowOf);
  expect(guide).toContain(`as of ${pricesOf}`);
  expect(guide.slice(guide.indexOf("| model | input | output |")).trim().split("\n").slice(2)).toEqual(rows);
});
