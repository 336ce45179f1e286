import { expect, test } from "vitest";
import { marksOf, withFrames } from "./code-frames.ts";
import type { FrameLine, PageDiagnostic } from "./workflow-records.ts";

const found = (line: number | undefined, level: PageDiagnostic["level"], message: string): PageDiagnostic => ({
  level,
  code: "x",
  message,
  ...(line === undefined ? {} : { line }),
});

const frameOf = (text: string, problem: PageDiagnostic): readonly FrameLine[] =>
  withFrames([problem], text)[0]?.frame ?? [];

test("a line has one mark, with the worst level and all messages", () => {
  const marks = marksOf([
    found(2, "hint", "One."),
    found(2, "error", "Two."),
    found(2, "warning", "Three."),
    found(undefined, "error", "Of no line."),
  ]);
  expect(marks).toEqual([{ line: 2, level: "error", says: "One. Two. Three." }]);
});

test("a frame shows two lines around, and underlines the place", () => {
  const text = "1\n2\n3\n  four\n5\n6\n7\n8";
  const frame = frameOf(text, { ...found(4, "error", ""), column: 3, end_line: 4, end_column: 7 });
  expect(frame.map(({ number }) => number)).toEqual([2, 3, 4, 5, 6]);
  expect(frame[2]).toEqual({ number: 4, before: "  ", meant: "four", after: "" });
  expect(frame[1]).toEqual({ number: 3, before: "3" });
});

test("of a place of several lines each is underlined without its indentation, and a long one is cut", () => {
  const text = Array.from({ length: 40 }, (_, at) => `  line ${at + 1}`).join("\n");
  const frame = frameOf(text, { ...found(1, "error", ""), column: 5, end_line: 30, end_column: 3 });
  expect(frame).toHaveLength(9);
  expect(frame[0]).toMatchObject({ before: "  li", meant: "ne 1" });
  expect(frame[1]).toMatchObject({ before: "  ", meant: "line 2" });
});

test("an empty place is one column wide, and what has no place has no frame", () => {
  expect(frameOf("ab", { ...found(1, "error", ""), column: 3, end_line: 1, end_column: 3 })[0]).toEqual({
    number: 1,
    before: "ab",
    meant: " ",
    after: "",
  });
  expect(frameOf("ab", found(undefined, "error", ""))).toEqual([]);
});
