import { expect, test } from "vitest";
import type { PageStanding } from "./page-records.ts";
import { countStandings, needOf, shortStrip, wholeStrip } from "./standings.ts";

test("A strip has a letter for each; of too many, each letter is that of the worst among several", () => {
  const few: readonly PageStanding[] = ["done", "failed", "to_come"];
  expect(shortStrip(few)).toBe("df.");
  const many = Array.from({ length: 10_000 }, (_, index): PageStanding => (index === 5_001 ? "failed" : "done"));
  const strip = shortStrip(many);
  expect(strip).toHaveLength(40);
  expect(strip.indexOf("f")).toBe(20);
  expect(strip.replaceAll("d", "")).toBe("f");
  expect(wholeStrip(many).indexOf("f")).toBe(5_001);
  expect(countStandings(many)).toEqual({ failed: 1, done: 9_999 });
});

test("What failed and counts needs somebody more than what was handled", () => {
  expect(needOf("crashed")).toBeLessThan(needOf("asks"));
  expect(needOf("asks")).toBeLessThan(needOf("running"));
  expect(needOf("running")).toBeLessThan(needOf("handled"));
  expect(needOf("handled")).toBeLessThan(needOf("done"));
});
