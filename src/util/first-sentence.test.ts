import { expect, test } from "vitest";
import { firstSentence } from "./first-sentence.ts";

test("a sentence ends where another one could begin, and is cut between words when it is long", () => {
  expect(firstSentence("Builds Node.js projects; one without a script is fine")).toBe("Builds Node.js projects");
  expect(firstSentence("  One. Two.\nThree")).toBe("One");
  expect(firstSentence("a line\nanother")).toBe("a line");
  expect(firstSentence(`${"word ".repeat(15)}and, more`)).toBe(`${"word ".repeat(15)}and...`);
  expect(firstSentence("x".repeat(100))).toBe(`${"x".repeat(80)}...`);
});
