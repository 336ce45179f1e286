import { expect, test } from "vitest";
import { fitText, textWidth } from "./text-width.ts";

test("a text that does not fit ends with dots, and then fits", () => {
  expect(fitText("plan", 100, 13)).toBe("plan");
  const cut = fitText("a-name-that-is-much-too-long", 100, 13);
  expect(cut).toMatch(/^a-name.*…$/u);
  expect(textWidth(cut, 13)).toBeLessThanOrEqual(101);
});
