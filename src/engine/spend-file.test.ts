import { expect, test } from "vitest";
import { readSpendText } from "./spend-file.ts";

test("one object, also over several lines, or one on each line", () => {
  expect(readSpendText('{\n "usd": 0.02,\n "tokens": 900 }\n')).toEqual({
    costs: [{ usd: 0.02, tokens: 900 }],
    problems: [],
  });
  expect(readSpendText('{"usd": 0.01}\n\n{"tokens": 5}\n').costs).toEqual([{ usd: 0.01 }, { tokens: 5 }]);
});

test.each([
  ["nonsense", "is not like"],
  ["[1]", "is not like"],
  ["{}", "is not like"],
  ['{"usd": "1"}', "'usd' is no number from 0 on"],
  ['{"usd": -1}', "'usd' is no number from 0 on"],
  ['{"tokens": 1.5}', "'tokens' is no whole number from 0 on"],
  ['{"usd": 1, "cost": 2}', "nobody knows what 'cost' is"],
])("what is no cost is told and not counted: %s", (written, why) => {
  const { costs, problems } = readSpendText(`{"usd": 0.5}\n${written}`);
  expect(costs).toEqual([{ usd: 0.5 }]);
  expect(problems).toEqual([expect.stringContaining(why)]);
  expect(problems[0]).toMatch(/^line 2 /);
});
