import { expect, test } from "vitest";
import type { BlockStarted, LoopElement } from "../engine/events.ts";
import { PassNames, withElement } from "./pass-names.ts";

function started(path: string, elements: readonly LoopElement[]): BlockStarted {
  const inside = { kind: "loop", elements } as const;
  return { type: "block-started", at: "", path, attempt: 1, inputs: {}, idempotencyKey: "", becauseOf: [], inside };
}

const listOf = (...values: readonly string[]): LoopElement[] => values.map((value, key) => ({ key, value }));

test("a pass of a list and all that is inside it is named by its element, and nothing else", () => {
  const names = new PassNames();
  expect(names.elementOf("package/1")).toBeUndefined();
  names.hear(started("package", listOf("api", "web")));
  expect(names.elementOf("package")).toBeUndefined();
  expect(names.elementOf("package/1")).toBe("web");
  expect(names.elementOf("package/1/test")).toBe("web");
  expect(names.elementOf("package/2")).toBeUndefined();
  expect(names.elementOf("packages/1")).toBeUndefined();
  expect(withElement("package/1", names.elementOf("package/1"))).toBe("package/1 (web)");
});

test("loops around each other are named from the outermost", () => {
  const names = new PassNames();
  names.hear(started("os", listOf("linux", "mac")));
  names.hear(started("os/1/node", listOf("20", "22")));
  expect(names.elementOf("os/1/node/0/test")).toBe("mac, 20");
});

test("a pass of a map has its key already, and one of `repeat` nothing but its number", () => {
  const names = new PassNames();
  names.hear(started("by_key", [{ key: "0", value: "zero" }]));
  names.hear(started("again", []));
  expect(names.elementOf("by_key/0")).toBeUndefined();
  expect(names.elementOf("again/0")).toBeUndefined();
});

test("a loop that is tried again is named by what it goes over then", () => {
  const names = new PassNames();
  names.hear(started("each", listOf("old")));
  names.hear(started("each", listOf("new")));
  expect(names.elementOf("each/0")).toBe("new");
});
