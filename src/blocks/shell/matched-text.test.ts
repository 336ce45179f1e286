import { expect, test } from "vitest";
import { matchedBy } from "./matched-text.ts";

test.each([
  ["^v?([0-9]+).([0-9]+)$", "numbers"],
  ["^[[:digit:]]+$", "numbers"],
  ["^([a-z]+)$", "narrow"],
  ["^([a-z]+ [A-Z]+)$", "narrow"],
  ["^(.*)$", "any"],
  ["[^ ]+", "any"],
])("%s matches %s", (regex, matched) => {
  expect(matchedBy(regex)).toBe(matched);
});
