import { expect, test } from "vitest";
import type { PageDiagnostic } from "../../views/page/workflow-records.ts";
import { frameOf, lineAt, marksOf, positionOf } from "./marks.ts";

const found = (line: number | undefined, level: PageDiagnostic["level"], message: string): PageDiagnostic => ({
  level,
  code: "x",
  message,
  ...(line === undefined ? {} : { line }),
});

test("a line has one mark, with the worst level and all messages", () => {
  const marks = marksOf([
    found(2, "hint", "One."),
    found(2, "error", "Two."),
    found(2, "warning", "Three."),
    found(undefined, "error", "Of no line."),
  ]);
  expect([...marks.values()]).toEqual([{ line: 2, level: "error", says: "One. Two. Three." }]);
});

test("positions and lines of a text lead to each other", () => {
  const text = "a\nbcd\n\ne";
  expect(positionOf(text, 2)).toBe(2);
  expect(positionOf(text, 2, 3)).toBe(4);
  expect(positionOf(text, 3, 9)).toBe(6);
  expect(positionOf(text, 9)).toBe(text.length);
  for (const line of [1, 2, 3, 4]) expect(lineAt(text, positionOf(text, line))).toBe(line);
});

test("a frame shows two lines around, and underlines the place", () => {
  const text = "1\n2\n3\n  four\n5\n6\n7\n8";
  const frame = frameOf(text, { ...found(4, "error", ""), column: 3, end_line: 4, end_column: 7 });
  expect(frame.map(({ number }) => number)).toEqual([2, 3, 4, 5, 6]);
  expect(frame[2]).toEqual({ number: 4, text: "  four", from: 3, to: 7 });
  expect(frame[1]).toEqual({ number: 3, text: "3" });
});

test("of a place of several lines each is underlined without its indentation, and a long one is cut", () => {
  const text = Array.from({ length: 40 }, (_, at) => `  line ${at + 1}`).join("\n");
  const frame = frameOf(text, { ...found(1, "error", ""), column: 5, end_line: 30, end_column: 3 });
  expect(frame).toHaveLength(9);
  expect(frame[0]).toMatchObject({ from: 5, to: 9 });
  expect(frame[1]).toMatchObject({ from: 3, to: 9 });
});

test("an empty place is one column wide, and what has no place has no frame", () => {
  expect(frameOf("ab", { ...found(1, "error", ""), column: 3, end_line: 1, end_column: 3 })[0]).toMatchObject({
    from: 3,
    to: 4,
  });
  expect(frameOf("ab", found(undefined, "error", ""))).toEqual([]);
});
