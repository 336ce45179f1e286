import type { Catalog } from "../block/catalog.ts";
import { blockKeys } from "../definition/block-keys.ts";
import { writeValue } from "../definition/data-type.ts";
import { type AnyKey, listKeys, mapSchema } from "../definition/key.ts";
import { budgetKeys, costKeys } from "../definition/load-budget.ts";
import { dependencyKeys } from "../definition/load-dependencies.ts";
import { expectKeys } from "../definition/load-expect.ts";
import { fileOutputKeys } from "../definition/load-file-outputs.ts";
import { inputKeys } from "../definition/load-inputs.ts";
import { itemKeys } from "../definition/load-limits.ts";
import { outputKeys } from "../definition/load-outputs.ts";
import { repeatKeys } from "../definition/load-repeat.ts";
import { retryKeys } from "../definition/load-retry.ts";
import { sandboxKeys } from "../definition/load-sandbox.ts";
import { scheduleKeys } from "../definition/load-schedule.ts";
import { workspaceKeys } from "../definition/load-workspace.ts";
import { workflowKeys } from "../definition/workflow-keys.ts";
import type { Value } from "../expression/value.ts";
import { table } from "../util/markdown-table.ts";

/** The keys of each map, under what they are called in a document. */
export type KeysByMap = Readonly<Record<string, readonly AnyKey[]>>;

export const languageKeys: KeysByMap = {
  "workflow keys": listKeys(workflowKeys),
  "input keys": listKeys(inputKeys),
  "item keys": listKeys(itemKeys),
  "output keys": listKeys(outputKeys),
  "block keys": blockKeys,
  "repeat keys": listKeys(repeatKeys),
  "retry keys": listKeys(retryKeys),
  "expect keys": listKeys(expectKeys),
  "budget keys": listKeys(budgetKeys),
  "cost keys": listKeys(costKeys),
  "dependency keys": listKeys(dependencyKeys),
  "file output keys": listKeys(fileOutputKeys),
  "sandbox keys": listKeys(sandboxKeys),
  "workspace keys": listKeys(workspaceKeys),
  "schedule keys": listKeys(scheduleKeys),
};

/** More of them are told in a sentence of the document. */
const mostChoices = 7;

/** A table of Markdown for each map. */
export function describeKeys(maps: KeysByMap, catalog: Catalog): Record<string, string> {
  const describe = (keys: readonly AnyKey[]): string => {
    const { properties } = mapSchema(keys, catalog);
    const rows = keys.map(({ name, docs, required, examples }) => {
      const { default: fallback, enum: choices } = properties[name] as { default?: Value; enum?: readonly string[] };
      const otherwise = fallback === undefined ? "" : code(writeValue(fallback));
      const values = choices === undefined || choices.length > mostChoices ? examples.slice(0, 1) : choices;
      return [code(name), docs, required === undefined ? otherwise : "required", values.map(code).join(", ")];
    });
    return table(["key", "meaning", "default", "such as"], rows);
  };
  return Object.fromEntries(Object.entries(maps).map(([what, keys]) => [what, describe(keys)]));
}

function code(text: string): string {
  return `\`${text}\``;
}
