import { expect, test } from "vitest";
import { formatDuration } from "../../ui/look/format.ts";
import { joinWords, sayDuration } from "./say-words.ts";

test("Sentences of the server write durations as the page does", () => {
  for (const ms of [0, 340, 2_100, 23_000, 185_000, 4_320_000, 183_600_000]) {
    expect(sayDuration(ms)).toBe(formatDuration(ms));
  }
});

test("Words are joined as they are read aloud", () => {
  expect([["a"], ["a", "b"], ["a", "b", "c"]].map(joinWords)).toEqual(["a", "a and b", "a, b and c"]);
});
