import { expect, test } from "vitest";
import type { Value } from "../../expression/value.ts";
import { drawDifference } from "./draw-difference.ts";

test.each<[string, Value, Value | undefined, readonly string[]]>([
  ["texts of one line", "a", "b", ["expected: a", "found:    b"]],
  ["a text and a number that look alike", "1", 1, ['expected: "1"', "found:    1"]],
  ["a text and a word that look alike", "true", true, ['expected: "true"', "found:    true"]],
  ["blanks at the end", "a", "a ", ["expected: a", 'found:    "a "']],
  ["a line break at the end", "a\n", "a", ['expected: "a\\n"', "found:    a"]],
  ["what is not there", "a", undefined, ["expected: a", "found:    nothing"]],
  ["what a terminal would obey", "a", "\u001b[2Ja", ["expected: a", 'found:    "\\u001b[2Ja"']],
  ["short lists", [1, 2], [], ["expected: [1,2]", "found:    []"]],
  ["texts of several lines", "a\nb\nc\n", "a\nx\nc\n", ["- expected + found", "  a", "- b", "+ x", "  c"]],
  ["the last line's end", "a\nb\n", "a\nb", ["- expected + found", "  a", "  b", "+ (no newline at the end)"]],
  ["a matcher and a long text", { contains: "x" }, "a\nb\n", ['expected: {"contains":"x"}', "found:", "  a", "  b"]],
])("%s", (_, expected, found, lines) => {
  expect(drawDifference(expected, found, false)).toEqual(lines);
});

test("of long texts only what is around the differences is shown", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  const changed = lines.with(10, "first").with(20, "second");
  expect(drawDifference(`${lines.join("\n")}\n`, `${changed.join("\n")}\n`, false)).toEqual([
    "- expected + found",
    "  ...",
    "  line 8",
    "  line 9",
    "- line 10",
    "+ first",
    "  line 11",
    "  line 12",
    "  ...",
    "  line 18",
    "  line 19",
    "- line 20",
    "+ second",
    "  line 21",
    "  line 22",
  ]);
});

test("no difference is longer than a screen or two", () => {
  const [long, other] = ["a", "b"].map((letter) => `${letter}\n`.repeat(500));
  const drawn = drawDifference(long ?? "", other ?? "", false);
  expect(drawn).toHaveLength(61);
  expect(drawn.at(-1)).toBe("... 941 more lines");
});

test("of a line that is too long to read, the part that differs is shown", () => {
  const long = "x".repeat(3_000_000);
  expect(drawDifference("y", long, false)).toEqual([
    "expected: y",
    `found:    ${"x".repeat(1000)}... 2999000 more characters`,
  ]);
  const [expected, found] = drawDifference(`${long}yes`, `${long}no`, false);
  expect(expected).toBe(`expected: ...${"x".repeat(100)}yes`);
  expect(found).toBe(`found:    ...${"x".repeat(100)}no`);
  expect(drawDifference({ contains: "y" }, `a\n${long}\n`, false).join("").length).toBeLessThan(2000);
});
