import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { filterNames, refusedFilters, refusedFunctions } from "../../src/blocks/template/jinja/filters.ts";
import { createGlobals } from "../../src/blocks/template/jinja/globals.ts";
import type { Machine } from "../../src/blocks/template/jinja/machine.ts";
import { listMethods, mapMethods } from "../../src/blocks/template/jinja/methods.ts";
import { parseTemplateText, refusedTags } from "../../src/blocks/template/jinja/parse-statements.ts";
import { Renderer } from "../../src/blocks/template/jinja/render.ts";
import { tests } from "../../src/blocks/template/jinja/tests.ts";
import { textMethods } from "../../src/blocks/template/jinja/text-methods.ts";

const [there = "", refused = ""] = readFileSync("docs/templates.md", "utf8").split("## What is refused");

/** The names in a row of a table. */
function listed(page: string, what: string): string[] {
  const row = page.split("\n").find((line) => line.startsWith(`| ${what} |`)) ?? "";
  return Array.from(row.matchAll(/`(\w+)`/g), ([, name]) => name as string).sort();
}

const byName = (names: Iterable<string>): string[] => [...names].sort();

test.each([
  ["filters", filterNames],
  ["tests", Object.keys(tests).filter((name) => /^\w+$/.test(name))],
  ["functions", createGlobals({} as Machine).keys()],
  ["methods of texts", Object.keys(textMethods)],
  ["methods of lists", Object.keys(listMethods)],
  ["methods of maps", Object.keys(mapMethods)],
] as const)("the document lists all %s, and no others", (what, names) => {
  expect(listed(there, what)).toEqual(byName(names));
});

test("what is refused is refused by its name, and listed", () => {
  expect(listed(refused, "tags")).toEqual(byName(Object.keys(refusedTags)));
  expect(listed(refused, "filters")).toEqual(byName(refusedFilters.keys()));
  expect(listed(refused, "functions")).toEqual(byName(refusedFunctions.keys()));
  const messageOf = (template: string): string => {
    try {
      return `it gives '${new Renderer(true).render(parseTemplateText(template, false), {})}'`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  for (const tag of Object.keys(refusedTags)) expect(messageOf(`{% ${tag} 'x' %}`)).toBe(refusedTags[tag]);
  for (const name of refusedFilters.keys())
    expect(messageOf(`{{ 1|${name} }}`)).toContain(`'${name}' is not supported`);
  for (const name of refusedFunctions.keys())
    expect(messageOf(`{{ ${name}() }}`)).toContain(`'${name}' is not supported`);
});
