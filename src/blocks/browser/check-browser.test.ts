import { expect, test } from "vitest";
import { createTestEngine } from "../../../test/rig/engine.ts";

function problemsOf(inputs: object): string[] {
  const { diagnostics } = createTestEngine().check({ blocks: [{ id: "a", type: "Browser", inputs }] });
  return diagnostics.map(({ message }) => message);
}

const url = "https://x.test";

const wrong = [
  [{ action: "navigate" }, "navigate needs url."],
  [{ action: "click" }, "click needs target."],
  [{ action: "type", target: "input" }, "type needs value."],
  [{ action: "press", target: "input" }, "press needs value."],
  [{ action: "assert" }, "assert needs condition or target."],
  [{ action: "scroll" }, "scroll needs target or value."],
  [{ action: "click", target: "a", value: "b" }, "click has no use for value."],
  [{ action: "navigate", url: "file:///etc/passwd" }, "only http:// and https:// addresses"],
  [{ action: "navigate", url: "http://127.0.0.1:80/" }, "'127.0.0.1' is an address of this machine, which is refused."],
  [{ action: "click", target: "role=buton" }, "no element has the role 'buton'."],
  [{ action: "click", target: "a[" }, "'a[' is not a whole CSS selector."],
  [{ action: "wait", condition: {} }, "the condition says nothing."],
  [{ action: "wait", condition: { count: 2 } }, "the condition is about an element, and none is named."],
  [{ action: "wait", condition: { url_matches: "(" } }, "'(' is not a valid pattern."],
  [{ action: "wait", target: "a", condition: "shown" }, "condition"],
  [{ action: "hover", target: "a" }, "action"],
  [{ action: "click", target: "a", timeout: 0 }, "timeout is a number of seconds above 0"],
] as const;

test("what is wrong is told when the file is loaded", () => {
  for (const [inputs, message] of wrong) expect(problemsOf(inputs).join("\n")).toContain(message);
});

test("what is right has no problem", () => {
  expect(problemsOf({ action: "wait", url, condition: { url: "/done", text: "x" } })).toEqual([]);
  expect(problemsOf({ action: "extract", url })).toEqual([]);
  expect(problemsOf({ action: "scroll", value: "bottom" })).toEqual([]);
});
