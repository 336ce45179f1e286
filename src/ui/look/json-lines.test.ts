import { describe, expect, it } from "vitest";
import { jsonLinesOf, unfoldedLines } from "./json-lines.ts";

describe("jsonLinesOf", () => {
  it("knows where each line that opens something is closed", () => {
    expect(jsonLinesOf('{"a":[1,2],"b":{},"c":"x {"}')).toEqual([
      { text: "{", end: 7 },
      { text: '  "a": [', end: 4 },
      { text: "    1," },
      { text: "    2" },
      { text: "  ]," },
      { text: '  "b": {},' },
      { text: '  "c": "x {"' },
      { text: "}" },
    ]);
  });

  it("leaves texts alone that are no objects or lists", () => {
    expect(jsonLinesOf("plain text")).toBeUndefined();
    expect(jsonLinesOf("12")).toBeUndefined();
    expect(jsonLinesOf('{"cut": "of')).toBeUndefined();
  });
});

describe("unfoldedLines", () => {
  it("leaves out what is inside of folded lines, however deep", () => {
    const lines = jsonLinesOf('{"a":[1,[2]],"b":3}') ?? [];
    expect(unfoldedLines(lines, new Set())).toEqual(lines.map((_, index) => index));
    expect(unfoldedLines(lines, new Set([1, 3]))).toEqual([0, 1, 7, 8]);
    expect(unfoldedLines(lines, new Set([0]))).toEqual([0]);
  });
});
