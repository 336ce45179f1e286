import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { commandLine } from "../../src/ui/workflows/command-line.ts";

test("a shell that reads the command line gives every value as it is", () => {
  // No shell can be given a NUL.
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: fc.constantFrom(..."'\"\\$`!*?~#&|;<>(){}[] \n\t=-%") }),
  );
  const values = fc.sample(
    text.map((value) => value.replaceAll("\0", "")),
    { seed: 3, numRuns: 300 },
  );
  const line = commandLine({ workflow: "w", inputs: Object.fromEntries(values.map((value, at) => [`i${at}`, value])) });
  // The command is looked at by a function of the same name: each word with a byte behind it that none can hold.
  const script = `frond() { printf '%s\\0' "$@"; }\n${line}\n`;
  const words = execFileSync("bash", ["-s"], { input: script, encoding: "utf8" }).split("\0").slice(0, -1);
  const expected = ["run", "w", ...values.flatMap((value, at) => ["-i", `i${at}=${value}`])];
  expect(words).toEqual(expected);
});
