import { expect, test } from "vitest";
import { shortenMismatch } from "./shorten-mismatch.ts";

test("what can be read at a glance stays as it is", () => {
  const mismatch = { at: "outputs.a", expected: "a", found: { b: [1] } };
  expect(shortenMismatch(mismatch)).toBe(mismatch);
});

test("of long texts there is the place where they begin to differ, and how much is left out", () => {
  const same = "s".repeat(5_000);
  const { expected, found } = shortenMismatch({ at: "x", expected: `${same}one`, found: `${same}two${same}` });
  expect(expected).toBe(`[4900 characters] ...${"s".repeat(100)}one`);
  expect(found).toBe(`[4900 characters] ...${"s".repeat(100)}two${"s".repeat(897)}... [4103 more characters]`);
});

test("a long value is shown as its beginning where there is nothing to compare it with", () => {
  const { expected, ...rest } = shortenMismatch({ at: "x", expected: Array(1_000).fill("ab") });
  expect(rest).toEqual({ at: "x" });
  expect(expected).toMatch(/^\["ab".*\.\.\. \[\d+ more characters\]$/);
});
