import { expect, test } from "vitest";
import { suggestOption } from "./suggest-option.ts";

test.each([
  ["--param", ["--input", "--json"], "Write `--input NAME=VALUE`."],
  ["--set=a=1", ["--input"], "Write `--input NAME=VALUE`."],
  ["-n", ["--limit", "--all"], "Write `--limit`."],
  ["-n", ["--tail"], "Write `--tail`."],
  ["--port", ["--http", "--host"], "Write `--http PORT`."],
])("%s means what the command has for it", (option, known, expected) => {
  expect(suggestOption(option, known)).toBe(expected);
});

test("an option is never answered with one that the command does not have", () => {
  expect(suggestOption("--port", ["--json"])).toBeUndefined();
  expect(suggestOption("--nope", ["--json"])).toBeUndefined();
});
