import { constants } from "node:buffer";
import { expect, test } from "vitest";
import { writeJson } from "./write-json.ts";

test("the pieces together are what JSON.stringify writes", () => {
  const long = "x\n".repeat(50_000);
  const values = [
    null,
    1,
    "a",
    [],
    {},
    [undefined, long, [long, 1], {}],
    { a: long, gone: undefined, 'b"': { c: [long], d: Array.from({ length: 40_000 }, (_, index) => index) } },
    { gone: undefined, list: Array.from({ length: 3 }, () => ({ long })) },
  ];
  for (const value of values) expect([...writeJson(value)].join("")).toBe(JSON.stringify(value));
});

test("what is longer than a string can be is written all the same", () => {
  const text = "x".repeat(100_000_000);
  let length = 0;
  for (const piece of writeJson(Array.from({ length: 6 }, () => text))) length += piece.length;
  expect(length).toBe(6 * (text.length + 3) + 1);
  expect(length).toBeGreaterThan(constants.MAX_STRING_LENGTH);
});
