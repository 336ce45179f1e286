import fc from "fast-check";
import { expect, test } from "vitest";
import { startCpuTime } from "../../../test/rig/cpu-time.ts";
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
  const cpuTime = startCpuTime();
  scanTemplate("{{ a.b|c('d') }} {# e #} ".repeat(100_000));
  scanTemplate("{".repeat(1_000_000));
  scanTemplate("{% raw %}".repeat(100_000));
  expect(cpuTime()).toBeLessThan(5_000);
});

test.each([
  ["{{ a }}", "{{ (a or a) }}"],
  ["{{ a|upper }}", "{{ (a or a)|upper }}"],
  ["{{ a.b.c | upper|lower }}", "{{ (a.b.c or a.b.c) | upper|lower }}"],
  ["{{ a['b'][0].c|upper }}", "{{ (a['b'][0].c or a['b'][0].c)|upper }}"],
  ["{{ a[b].c }}", "{{ a[(b or b)].c }}"],
  ["{{ a ~ b.c ~ 'd' }}", "{{ (a or a) ~ (b.c or b.c) ~ 'd' }}"],
  ["{{ [a, -b]|join }}", "{{ [(a or a), -(b or b)]|join }}"],
  ["{{ (a ~ 'b')|default('c') }}", "{{ ((a or a) ~ 'b')|default('c') }}"],
  ["{{ set|upper }}", "{{ (set or set)|upper }}"],
  ["{%- if not a -%}", "{%- if not (a or a) -%}"],
  ["{% if a == b and c not in d %}", "{% if (a or a) == (b or b) and (c or c) not in (d or d) %}"],
  ["{% set a.b = c|upper %}", "{% set a.b = (c or c)|upper %}"],
  ["{% for a, b in c|sort if b %}", "{% for a, b in (c or c)|sort if (b or b) %}"],
  ["{% with a = b %}", "{% with a = (b or b) %}"],
  ["{% call(a) f(b) %}", "{% call(a) f((b or b)) %}"],
  ["{{ f(a, x=b|upper)|upper }}", "{{ f((a or a), x=(b or b)|upper)|upper }}"],
  ["{{ a is divisibleby(b) }}", "{{ a is divisibleby((b or b)) }}"],
])("%j asks whether its variables are defined", (source, guarded) => {
  expect(guardVariables(source)).toBe(guarded);
});

test.each([
  "{{ a|default('x')|upper }}",
  "{{ a.b|d('x') }}",
  "{{ ((a))|default(b) }}",
  "{% if a is defined %}",
  "{% if a is not defined %}",
  "{% if not a is defined %}",
  "{{ a.b()|upper }}",
  "{{ 'a|b' }}",
  "{% set a|upper %}",
  "{% macro a(b, c='d') %}",
  "{% filter upper|lower %}",
  "{% block a %}{% endblock a %}",
  "a|b {# a|b #}{% raw %}{{ a|b }}{% endraw %}",
  "{{ true|string ~ none }}",
])("%j stays as it is", (source) => {
  expect(guardVariables(source)).toBe(source);
});

test("however often it is nested, a guarded template is not much longer", () => {
  const source = `{{ ${"a[".repeat(1000)}b|c${"]".repeat(1000)} }}`;
  expect(guardVariables(source).length).toBeLessThan(2 * source.length);
});
