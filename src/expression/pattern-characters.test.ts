import { expect, test } from "vitest";
import { provePattern } from "./pattern-characters.ts";

test.each([
  ["[a-z]+", { letters: true, slash: false, percent: false, equals: false }],
  ["[0-9]+", { letters: false }],
  ["v?[0-9]+(\\.[0-9]+)*", { letters: true }],
  ["[0-9]+(\\.[0-9]+){0,2}", { letters: false, dash: false }],
  ["\\d{1,5}", { letters: false }],
  ["\\w[\\w.-]*", { letters: true, dash: false }],
  ["main|release/[0-9]+", { slash: true }],
  ["a=b", { equals: true }],
  ["100%", { percent: true }],
  ["^[a-z]+$", { letters: true }],
  ["(?:x|y),(?P<n>z)", { comma: true }],
  ["[[:alnum:]]+", { letters: true }],
])("%s proves a word", (pattern, expected) => {
  expect(provePattern(pattern)).toMatchObject({ kind: "word", dash: false, ...expected });
});

test.each([
  ...[
    "",
    "a*",
    "a?",
    "a|",
    "()",
    "(a|b)*",
    "-a",
    "-?a",
    "[a-]+",
    "[-a]",
    ".",
    ".+",
    "[^;]+",
    "[^a-z]",
    "a b",
    "\\s",
    "\\S+",
  ],
  ...[
    "(?i)a",
    "(?i)[a-z]+",
    "\\pL+",
    "é",
    "a\\n",
    "[!-~]+",
    "a;b",
    "\\$x",
    "a'",
    "\\x00a",
    "(?s).",
    "~a",
    "(a|-b)c",
    "a\\\\",
  ],
])("%j proves nothing", (pattern) => {
  expect(provePattern(pattern)).toBeUndefined();
});
