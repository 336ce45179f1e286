import { describe, expect, test } from "vitest";
import { builtinAt, filledBy, readBuiltin } from "./builtin-options.ts";
import { literalText, type ParsedWord } from "./shell-syntax.ts";

function words(text: string): ParsedWord[] {
  const rest = { start: 0, end: 0, quoted: false, glob: false, assigns: undefined, elements: undefined, consumers: [] };
  return text
    .split(" ")
    .filter(Boolean)
    .map((part) => ({ ...rest, pieces: [part === "$x" ? { kind: "unknown" } : { kind: "text", text: part }] }));
}

function texts(read: readonly ParsedWord[]): string[] {
  return read.map((word) => literalText(word) ?? "$x");
}

describe("the variables that a builtin fills", () => {
  test.each([
    ["printf", "-v x %s", ["x"]],
    ["printf", "-vx %s", ["x"]],
    ["printf", "%s -v", []],
    ["read", "-r -p prompt x y", ["x", "y"]],
    ["read", "-rax", ["x"]],
    ["read", "-ra x", ["x"]],
    ["read", "-n1 -- x", ["x"]],
    ["read", "$x -a list", ["list", "$x"]],
    ["mapfile", "-t -c1 -Cf lines", ["lines"]],
    ["getopts", "n: option", ["option"]],
    ["wait", "-p job %1", ["job"]],
    ["echo", "-v x", []],
  ])("%s %s", (name, parameters, filled) => {
    expect(texts(filledBy(name, words(parameters)))).toEqual(filled);
  });
});

test.each([
  ["-euo pipefail -- a", ["a"]],
  ["-o pipefail a b", ["a", "b"]],
  ["- a", ["a"]],
  ["+x -- -a", ["-a"]],
  ["-eu", []],
])("set %s has these operands", (parameters, operands) => {
  expect(texts(readBuiltin("set", words(parameters)).operands)).toEqual(operands);
});

test("a builtin stands behind command and builtin, and their options", () => {
  expect(builtinAt(["command", "-p", "builtin", "--", "read", "x"])).toBe(4);
  expect(builtinAt(["command"])).toBe(-1);
});
