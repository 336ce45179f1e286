import fc from "fast-check";
import { expect, test } from "vitest";
import { guardVariables } from "./guard-variables.ts";
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
  const started = performance.now();
  scanTemplate("{{ a.b|c('d') }} {# e #} ".repeat(100_000));
  scanTemplate("{".repeat(1_000_000));
  scanTemplate("{% raw %}".repeat(100_000));
  expect(performance.now() - started).toBeLessThan(5_000);
});

test.each([
  ["{{ a|upper }}", "{{ (a or a)|upper }}"],
  ["{{ a.b.c | upper|lower }}", "{{ (a.b.c or a.b.c) | upper|lower }}"],
  ["{{ a ~ b.c ~ 'd' }}", "{{ (a or a) ~ (b.c or b.c) ~ 'd' }}"],
  ["{% if not a %}", "{% if not (a or a) %}"],
  ["{% if a == b and c != 1 %}", "{% if (a or a) == (b or b) and (c or c) != 1 %}"],
  ["{% set a = b|upper %}", "{% set a = (b or b)|upper %}"],
  ["{% for a in b|sort %}", "{% for a in (b or b)|sort %}"],
  ["{{ f(x=a|upper) }}", "{{ f(x=(a or a)|upper) }}"],
])("%j asks whether its variables are defined", (source, guarded) => {
  expect(guardVariables(source)).toBe(guarded);
});

test.each([
  "{{ a }}",
  "{{ a|default('x')|upper }}",
  "{{ a.b|d('x') }}",
  "{% if a is defined %}",
  "{% if a is not defined %}",
  "{% if not a is defined %}",
  "{{ f(a)|upper }}",
  "{{ a[0]|upper }}",
  "{{ 'a|b' }}",
  "{% set a|upper %}",
  "{% filter upper|lower %}",
  "a|b {# a|b #}{% raw %}{{ a|b }}{% endraw %}",
  "{% if a not in b %}",
  "{{ true|string ~ none }}",
])("%j stays as it is", (source) => {
  expect(guardVariables(source)).toBe(source);
});
