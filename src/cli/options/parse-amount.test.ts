import { expect, test } from "vitest";
import { formatBytes, parseAge, parseSize } from "./parse-amount.ts";

test.each([
  ["45s", 45_000],
  ["1.5h", 5_400_000],
  ["30d", 2_592_000_000],
  [" 2 w ", 1_209_600_000],
])("the age '%s' is %i milliseconds", (text, milliseconds) => {
  expect(parseAge(text)).toBe(milliseconds);
});

test.each([
  ["5GB", 5e9],
  ["500 mb", 5e8],
  ["1.5k", 1500],
  ["12B", 12],
])("the size '%s' is %i bytes", (text, bytes) => {
  expect(parseSize(text)).toBe(bytes);
});

test.each(["", "30", "d", "-1d", "1d2h", "30 days"])("'%s' is no age", (text) => {
  expect(() => parseAge(text)).toThrow("Write it like");
});

test.each(["", "5", "GB", "-1GB", "1GiB", "1e9"])("'%s' is no size", (text) => {
  expect(() => parseSize(text)).toThrow("Write it like");
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 KB"],
  [123_456, "123 KB"],
  [5e9, "5.0 GB"],
])("%i bytes are '%s'", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
