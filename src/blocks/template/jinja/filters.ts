import { nearestName } from "../../../diagnostic/did-you-mean.ts";
import { listFilters } from "./list-filters.ts";
import type { Operation } from "./machine.ts";
import { type Test, tests } from "./tests.ts";
import { textFilters } from "./text-filters.ts";

const filters: ReadonlyMap<string, Operation> = new Map([
  ...Object.entries(textFilters),
  ...Object.entries(listFilters),
]);

/** What Jinja2 has and is not here, and why, or what to write instead. The list in docs/templates.md is made of them. */
export const refusedFilters: ReadonlyMap<string, string> = new Map([
  ["attr", "write x.name or x['name']"],
  ["pprint", "write tojson(indent=2)"],
  ["random", "a template gives the same text every time"],
  ["striptags", "nothing here reads HTML"],
  ["urlize", "nothing here reads HTML"],
  ["xmlattr", "write the attributes out, each through escape"],
]);

export const refusedFunctions: ReadonlyMap<string, string> = new Map([
  ["lipsum", "write the text out"],
  ["gettext", "there are no translations"],
  ["ngettext", "there are no translations"],
  ["_", "there are no translations"],
  ["debug", "print what you want to see"],
  ["super", "a template can't extend another one"],
]);

export const filterNames: readonly string[] = [...filters.keys()];

export function findFilter(name: string): Operation | undefined {
  return filters.get(name);
}

export function findTest(name: string): Test | undefined {
  return Object.hasOwn(tests, name) ? tests[name] : undefined;
}

/** What is wrong with a name, if anything is. */
export function unknownFilter(name: string): string | undefined {
  return filters.has(name) ? undefined : explain("filter", name, filterNames, refusedFilters);
}

export function unknownTest(name: string): string | undefined {
  return findTest(name) === undefined ? explain("test", name, Object.keys(tests), new Map()) : undefined;
}

export function unknownFunction(name: string): string {
  return explain("function", name, [], refusedFunctions);
}

function explain(what: string, name: string, known: readonly string[], refused: ReadonlyMap<string, string>): string {
  const reason = refused.get(name);
  if (reason !== undefined) return `the ${what} '${name}' is not supported: ${reason}`;
  const nearest = nearestName(name, known);
  return `there is no ${what} '${name}'${nearest === undefined ? "" : `; did you mean '${nearest}'?`}`;
}
