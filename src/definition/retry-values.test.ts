import { expect, test } from "vitest";
import type { Value } from "../expression/value.ts";
import { parseCount, parseDelay } from "./retry-values.ts";

test.each<[Value, number]>([
  [0, 0],
  [1.5, 1500],
  ["0", 0],
  ["0s", 0],
  ["250ms", 250],
  ["30s", 30_000],
  ["5 m", 300_000],
  ["2h", 7_200_000],
  ["720h", 2_592_000_000],
])("the delay %j is %d milliseconds", (value, milliseconds) => {
  expect(parseDelay(value)).toEqual({ ok: true, value: milliseconds });
});

test.each<[Value, string]>([
  [-1, "a delay is a number of seconds, or a text like 500ms, 30s, 5m or 1h"],
  ["soon", "a delay is a number of seconds, or a text like 500ms, 30s, 5m or 1h"],
  ["-1s", "a delay is a number of seconds, or a text like 500ms, 30s, 5m or 1h"],
  [Number.NaN, "a delay is a number of seconds, or a text like 500ms, 30s, 5m or 1h"],
  [null, "a delay is a number of seconds, or a text like 500ms, 30s, 5m or 1h"],
  ["721h", "a delay can be 30 days at most"],
])("%j is no delay", (value, error) => {
  expect(parseDelay(value)).toEqual({ ok: false, error });
});

test("a count is a whole number from 1 to the most there may be", () => {
  expect(parseCount(1, 100)).toEqual({ ok: true, value: 1 });
  expect(parseCount(100, 100)).toEqual({ ok: true, value: 100 });
});

test.each<[Value, string]>([
  [0, "it must be a whole number from 1 to 100, not the number 0"],
  [101, "it must be a whole number from 1 to 100, not the number 101"],
  [1.5, "it must be a whole number from 1 to 100, not the number 1.5"],
  ["3", "it must be a whole number from 1 to 100, not the text '3'"],
  [null, "it must be a whole number from 1 to 100, not null"],
])("%j is no count", (value, error) => {
  expect(parseCount(value, 100)).toEqual({ ok: false, error });
});
