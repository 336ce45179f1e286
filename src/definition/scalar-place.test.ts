import fc from "fast-check";
import { expect, test } from "vitest";
import { Document, Scalar } from "yaml";
import { readYaml } from "./read-yaml.ts";
import { placedText } from "./value-template.ts";
import type { YamlNode, YamlScalar } from "./yaml-node.ts";

const styles: readonly Scalar.Type[] = ["PLAIN", "QUOTE_SINGLE", "QUOTE_DOUBLE", "BLOCK_LITERAL", "BLOCK_FOLDED"];
const units = fc.constantFrom(
  "a",
  "bc ",
  " ",
  "  ",
  "\n",
  "\n\n",
  "'",
  '"',
  "\\",
  "é",
  "\u{1F600}",
  "\u0007",
  "\t",
  "long words to fold ",
);

function scalarIn(text: string): YamlScalar {
  const read = readYaml({ name: "x.yaml", text });
  const node: YamlNode | undefined = read.ok && read.value.kind === "map" ? read.value.entries[0]?.value : undefined;
  if (node?.kind !== "scalar") throw new Error(`no scalar in ${text}`);
  return node;
}

test("whatever stands around it and however it is written, a marked word of a text is found in the file", () => {
  const marked = "<MARK>";
  fc.assert(
    fc.property(
      fc.array(units, { maxLength: 25 }),
      fc.array(units, { maxLength: 8 }),
      fc.constantFrom(...styles),
      (before, after, style) => {
        const value = `${before.join("")}${marked}${after.join("")}`;
        const scalar = new Scalar(value);
        scalar.type = style;
        const text = new Document({ key: scalar }).toString({ lineWidth: 40 });
        const read = scalarIn(text);
        // The writer loses a blank in rare texts; such a text is not what is tested.
        fc.pre(read.value === value);
        const at = value.indexOf(marked);
        const { start, end } = placedText(read).rangeOf(at, at + marked.length);
        expect(text.slice(start, end)).toBe(marked);
      },
    ),
    { seed: 11, numRuns: 2_000 },
  );
});

test("an escape is marked whole", () => {
  const scalar = scalarIn('key: "a\\u00e9\\tb"');
  const places = [1, 2].map((at) => placedText(scalar).rangeOf(at, at + 1));
  expect(places.map(({ source, start, end }) => source.text.slice(start, end))).toEqual(["\\u00e9", "\\t"]);
});

test("a place past the end of a text is its last character", () => {
  const scalar = scalarIn("key: abc");
  const { source, start, end } = placedText(scalar).rangeOf(3, 4);
  expect(source.text.slice(start, end)).toBe("c");
});
