import { expect, test } from "vitest";
import { unknownValue } from "../expression/unknown-value.ts";
import type { Value } from "../expression/value.ts";
import { nameElement } from "./name-element.ts";

test.each<[string, Value, string | undefined]>([
  ["a text", "packages/web", "packages/web"],
  ["a text of several lines", " one\n\ttwo ", "one two"],
  ["a number", 7, "7"],
  ["the number of the element itself", 2, undefined],
  ["a boolean", false, "false"],
  ["an object with a name", { id: 4, name: "web", size: 3 }, "web"],
  ["an object with an id", { size: 3, id: 4 }, "4"],
  ["an object whose name is empty", { name: " ", id: "a-1" }, "a-1"],
  ["an object with neither", { os: "linux", node: 20 }, '{"os":"linux","node":20}'],
  ["a list", ["a", 1], '["a",1]'],
  ["an empty text", " ", undefined],
  ["null", null, undefined],
  ["something long", "x".repeat(61), `${"x".repeat(60)}…`],
  ["a wide character at the cut", `${"x".repeat(59)}🚀`, `${"x".repeat(59)}…`],
])("%s is what an element of a list is called", (_what, value, name) => {
  expect(nameElement({ key: 2, value })).toBe(name);
});

test("an element of a map is called by its key", () => {
  expect(nameElement({ key: "web", value: "packages/web" })).toBeUndefined();
});

test("what is not known before a run names nothing", () => {
  expect(nameElement({ key: 0, value: unknownValue(() => "a block") })).toBeUndefined();
});
