import { expect, test } from "vitest";
import { parseTraceParent, writeTraceParent } from "./trace-parent.ts";

const [trace, span] = ["4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"];

test("the parent of a trace is read as it is written", () => {
  const parent = { traceId: trace, spanId: span, isSampled: true };
  expect(writeTraceParent(parent)).toBe(`00-${trace}-${span}-01`);
  expect(parseTraceParent(` 00-${trace}-${span}-01\n`)).toEqual(parent);
  expect(parseTraceParent(`00-${trace}-${span}-02`)).toEqual({ ...parent, isSampled: false });
  expect(parseTraceParent(`01-${trace}-${span}-03-more`)).toEqual(parent);
});

test.each([
  undefined,
  "",
  "00",
  `ff-${trace}-${span}-01`,
  `00-${trace.toUpperCase()}-${span}-01`,
  `00-${"0".repeat(32)}-${span}-01`,
  `00-${trace}-${"0".repeat(16)}-01`,
  `00-${trace}-${span}-01x`,
])("what is no parent of a trace counts as none: %s", (text) => {
  expect(parseTraceParent(text)).toBeUndefined();
});
