import { expect, test } from "vitest";
import { indentText, movableText } from "./movable-text.ts";
import { plainValue } from "./plain-value.ts";
import { readYaml } from "./read-yaml.ts";
import type { YamlMap, YamlNode } from "./yaml-node.ts";

function read(text: string): YamlNode {
  const yaml = readYaml({ name: "a.yaml", text });
  if (!yaml.ok) throw new Error(yaml.error[0]?.message);
  return yaml.value;
}

function entry(text: string, key: string): YamlMap {
  const root = read(text);
  const found = root.kind === "map" ? root.entries.find((one) => one.key === key)?.value : undefined;
  if (found?.kind !== "map") throw new Error("It has no such map.");
  return found;
}

const maps: readonly [what: string, text: string, moved: string | RegExp][] = [
  [
    "lines of a block, with what its author says of them",
    "undo:\n    type: Shell  # the same again\n    # twice does no harm\n    inputs:\n      command: |\n        a\n          b\n\n        c\n",
    "type: Shell  # the same again\n# twice does no harm\ninputs:\n  command: |\n    a\n      b\n\n    c",
  ],
  ["braces", "undo: { type: Shell, inputs: { command: 'rm \"x\"' } }", "type: Shell\ninputs: { command: 'rm \"x\"' }"],
  [
    "braces over several lines",
    "undo: {\n  type: Shell,\n  inputs: {\n    command: x\n  } }",
    /^type: Shell\ninputs: \{/,
  ],
  [
    "an alias of something elsewhere",
    "a: &a { x: 1.10, y: [] }\nundo:\n  type: Shell\n  inputs: *a",
    /x: 1\.10, y: \[\]/,
  ],
  ["a text that is kept to its last newline", "undo:\n  a: |+\n    x\n\n\n", 'a: "x\\n\\n\\n"'],
  ["a text in quotes over lines", 'undo:\n  a: "x\n    y"\n  b: z', 'a: "x\n  y"\nb: z'],
  ["keys and texts that look like something else", "undo: { yes: 'no', '1': '2', \"a b\": ~, c: 0x10 }", /0x10/],
  ["lists of maps", "a: &a [{ b: [1, { c: d }] }]\nundo:\n  x: *a", /d/],
  ["lines that end as on Windows", "undo:\r\n  a: b\r\n  c:\r\n    d: e\r\n", /e/],
];

test.each(maps)("%s: it says the same at any place of another file", (_what, text, moved) => {
  const map = entry(text, "undo");
  const movable = movableText(map);
  if (typeof moved === "string") expect(movable).toBe(moved);
  else expect(movable).toMatch(moved);
  for (const spaces of [0, 2, 7]) {
    const margin = " ".repeat(spaces);
    const list = read(`${margin}- id: x\n${indentText(movable, spaces + 2)}\n${margin}- id: y\n`);
    expect(plainValue(list)).toEqual([{ id: "x", ...(plainValue(map) as object) }, { id: "y" }]);
  }
});
