import { expect, test } from "vitest";
import { wrapMessage } from "./wrap-message.ts";

test("a message is broken between words, and its own lines stay", () => {
  expect(wrapMessage("one two three\nfour", 9, { following: "  " })).toEqual(["one two", "  three", "  four"]);
  expect(wrapMessage("one two three", Number.POSITIVE_INFINITY)).toEqual(["one two three"]);
});

test("what is to be typed is never broken, even where it fits into no line", () => {
  expect(wrapMessage("Look with `frond trust --diff /tmp/a`, then go on.", 20)).toEqual([
    "Look with",
    "`frond trust --diff /tmp/a`,",
    "then go on.",
  ]);
  expect(wrapMessage("If it is not needed, run: frond cancel run_1m7j65mqk2ag0zdv", 24)).toEqual([
    "If it is not needed,",
    "run:",
    "frond cancel run_1m7j65mqk2ag0zdv",
  ]);
});
