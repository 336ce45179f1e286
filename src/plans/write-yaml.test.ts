import fc from "fast-check";
import { expect, test } from "vitest";
import { plainValue } from "../definition/plain-value.ts";
import { readYaml } from "../definition/read-yaml.ts";
import { toValue, type ValueMap } from "../expression/value.ts";
import { writeEntries } from "./write-yaml.ts";

/** What a YAML reader makes of it. */
function readBack(map: ValueMap): unknown {
  const read = readYaml({ name: "", text: `${writeEntries(map).join("\n")}\n` });
  if (!read.ok) throw new Error(`${JSON.stringify(map)}: ${read.error[0]?.message}`);
  return plainValue(read.value);
}

const lines = fc.array(fc.constantFrom("a", " b", "", "- c", "# d", "e: f", "\tg", "h ", "|", "${i}", "'", '"', "\r"));
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  lines.map((some) => some.join("\n")),
  fc.constantFrom(
    "true",
    "No",
    "null",
    "~",
    "1.0",
    "0x1f",
    "1e3",
    "-",
    "?",
    "a:",
    "a: b",
    "a #b",
    "#a",
    "\ufffd",
    "\u2028",
    "\ud800",
  ),
);
const data = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.double({ noNaN: true, min: -1e9, max: 1e9 }),
    fc.integer(),
    fc.constantFrom(null, true, false),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4 }),
  ),
})).value;

test("whatever is written is read as the same", () => {
  fc.assert(
    fc.property(fc.dictionary(text, data, { minKeys: 1, maxKeys: 4 }), (map) => {
      const value = toValue(JSON.parse(JSON.stringify(map)));
      if (!value.ok) throw new Error(value.error);
      expect(JSON.stringify(readBack(value.value as ValueMap))).toBe(JSON.stringify(value.value));
    }),
    { numRuns: 400 },
  );
});

test("words and texts of several lines are written without quotes", () => {
  const map = {
    command: "npm test -- --watch",
    content: "one\n  two\n",
    list: ["a", "b"],
    left: { max: 2 },
    odd: "a: b",
  };
  expect(writeEntries(map)).toEqual([
    "command: npm test -- --watch",
    "content: |",
    "  one",
    "    two",
    "list: [a, b]",
    "left: { max: 2 }",
    'odd: "a: b"',
  ]);
});
