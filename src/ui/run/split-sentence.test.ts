import { expect, it } from "vitest";
import { splitSentence } from "./split-sentence.ts";

it.each([
  ["Running for 23s. Attempt 1 failed.", "Running for 23s.", "Attempt 1 failed."],
  ["Failed: see `a. b` first. Then go on", "Failed: see `a. b` first.", "Then go on"],
  ["Took 1.5s in all", "Took 1.5s in all", ""],
  ["", "", ""],
])("%s begins with %s", (text, first, rest) => {
  expect(splitSentence(text)).toEqual([first, rest]);
});
