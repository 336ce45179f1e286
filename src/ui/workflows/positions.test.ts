import { expect, test } from "vitest";
import { lineAt, positionOf } from "./positions.ts";

test("positions and lines of a text lead to each other", () => {
  const text = "a\nbcd\n\ne";
  expect(positionOf(text, 2)).toBe(2);
  expect(positionOf(text, 2, 3)).toBe(4);
  expect(positionOf(text, 3, 9)).toBe(6);
  expect(positionOf(text, 9)).toBe(text.length);
  for (const line of [1, 2, 3, 4]) expect(lineAt(text, positionOf(text, line))).toBe(line);
});
