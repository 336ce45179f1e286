import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { runsWhenCalculated } from "./evaluable-text.ts";

const directory = mkdtempSync(join(tmpdir(), "frond-evaluable-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const hasBash = spawnSync("bash", ["-c", ":"]).status === 0;

test.each([
  "a[$(x)]",
  "1 + a[`x`]",
  "x=a[$(x)]",
  'a["$(x)"]',
  "a['$(x)']",
  "a[b[0] + $(x)]",
  "a[\\]$(x)]",
  'a["]"$(x)]',
  "_[$(x)",
  "a[${ x; }]",
])("a command in the subscript of a name is found: %s", (text) => {
  expect(runsWhenCalculated(text)).toBe(true);
});

test.each([
  "",
  "5",
  "a[0]",
  "$(x)",
  "`x` [link](y) $5",
  "[$(x)]",
  "see items[0], then `make` and $(date)",
  'rows[i] = "x"; run(`${y}`)',
  "a[b[c]] `x`",
  "- [ ] `todo` $(x)",
])("other text is not: %s", (text) => {
  expect(runsWhenCalculated(text)).toBe(false);
});

test("it takes time in proportion to the text, and a subscript without end counts as one", () => {
  expect(runsWhenCalculated("a[".repeat(50_000))).toBe(true);
  expect(runsWhenCalculated("a] ".repeat(100_000))).toBe(false);
});

test.runIf(hasBash)("whatever bash runs when it calculates with a text is found", () => {
  const pieces = [
    "a",
    "b",
    "_",
    "1",
    "[",
    "]",
    "$(touch C)",
    "`touch C`",
    '"',
    "'",
    "\\",
    " ",
    "+",
    "$",
    "{",
    "}",
    "(",
    ")",
  ];
  const text = fc.array(fc.constantFrom(...pieces), { minLength: 3, maxLength: 9 }).map((parts) => parts.join(""));
  const ran = (value: string): boolean => {
    const env = { PATH: process.env.PATH ?? "", value };
    spawnSync("bash", ["-c", ": $((value)); [[ $value -gt 1 ]]"], { cwd: directory, env, stdio: "ignore" });
    const canary = join(directory, "C");
    const isThere = existsSync(canary);
    rmSync(canary, { force: true });
    return isThere;
  };
  // Only what is not found is worth a process.
  fc.assert(
    fc.property(
      text.filter((value) => value.includes("touch") && !runsWhenCalculated(value)),
      (value) => !ran(value),
    ),
    { numRuns: 300, seed: 7 },
  );
  expect(ran("a[$(touch C)]")).toBe(true);
});
