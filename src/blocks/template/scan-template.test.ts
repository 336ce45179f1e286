import fc from "fast-check";
import { expect, test } from "vitest";
import { startCpuTime } from "../../../test/rig/cpu-time.ts";
import { scanTemplate } from "./scan-template.ts";

const seed = 4;

/** Each part with its kind. */
function parts(source: string): string[] {
  return scanTemplate(source).map(({ kind, start, end }) => `${kind}:${source.slice(start, end)}`);
}

test.each([
  ["plain { text }", ["text:plain { text }"]],
  ["a {{ b }} c", ["text:a ", "tag:{{ b }}", "text: c"]],
  ["{%- if x -%}y{# no {{ #}", ["tag:{%- if x -%}", "text:y", "comment:{# no {{ #}"]],
  ['{{ "}}" }}{{ {"a": {"b": 1}} }}', ['tag:{{ "}}" }}', 'tag:{{ {"a": {"b": 1}} }}']],
  [`{{ 'it\\'s }}' }}x`, [`tag:{{ 'it\\'s }}' }}`, "text:x"]],
  ["{% raw -%} {{ x }} {%- endraw %}y", ["tag:{% raw -%}", "raw: {{ x }} ", "tag:{%- endraw %}", "text:y"]],
  ["a {{ never", ["text:a ", "tag:{{ never"]],
  ["a {# never", ["text:a ", "comment:{# never"]],
  ["{% raw %}never", ["tag:{% raw %}", "raw:never"]],
  ["{{ x ) }}y", ["tag:{{ x ) }}", "text:y"]],
  ["{{ x.__proto__ }}y{{ x.constructor }}z", ["tag:{{ x.__proto__ }}", "text:y", "tag:{{ x.constructor }}", "text:z"]],
  ["{{{ x }}", ["tag:{{{ x }}"]],
])("the parts of %j", (source, expected) => {
  expect(parts(source)).toEqual(expected);
});

test("the parts of any text are the whole of it, in order", () => {
  const pieces = fc.constantFrom(
    "{{",
    "}}",
    "{%",
    "%}",
    "{#",
    "#}",
    "{",
    "}",
    '"',
    "'",
    "\\",
    "raw",
    "endraw",
    " ",
    "a",
    "(",
    ")",
  );
  fc.assert(
    fc.property(fc.array(pieces), (chosen) => {
      const source = chosen.join("");
      const segments = scanTemplate(source);
      expect(segments.map(({ start, end }) => source.slice(start, end)).join("")).toBe(source);
      expect(segments.every(({ start }, index) => start === (segments[index - 1]?.end ?? 0))).toBe(true);
    }),
    { seed, numRuns: 2000 },
  );
});

test("a long template is scanned in the time of its length", () => {
  const cpuTime = startCpuTime();
  scanTemplate("{{ a.b|c('d') }} {# e #} ".repeat(100_000));
  scanTemplate("{".repeat(1_000_000));
  scanTemplate("{% raw %}".repeat(100_000));
  expect(cpuTime()).toBeLessThan(5_000);
});
