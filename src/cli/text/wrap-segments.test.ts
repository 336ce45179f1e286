import { expect, test } from "vitest";
import { wrapSegments } from "./wrap-segments.ts";

const red = (text: string): string => `\u001b[31m${text}\u001b[39m`;
const dim = (text: string): string => `\u001b[2m${text}\u001b[22m`;

test("words keep their colours over the ends of lines", () => {
  const segments = [["one two "], ["three four", "red"], [" [five]", "dim"]] as const;
  expect(wrapSegments(segments, 11, true, { first: "- ", following: "  " })).toEqual([
    "- one two",
    `  ${red("three")}`,
    `  ${red("four")}`,
    `  ${dim("[five]")}`,
  ]);
  expect(wrapSegments(segments, 40, true)).toEqual([`one two ${red("three four")}${dim(" [five]")}`]);
  expect(wrapSegments(segments, 11, false, { first: "- " })).toEqual(["- one two", "  three", "  four", "  [five]"]);
});
