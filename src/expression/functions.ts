import { collectionFunctions } from "./collection-functions.ts";
import { conversionFunctions } from "./conversion-functions.ts";
import { defineFunction, type FunctionDefinition } from "./function-definition.ts";
import { listFunctions } from "./list-functions.ts";
import { textFunctions } from "./text-functions.ts";
import type { Value } from "./value.ts";

/** The evaluator calls it only when the first argument has a value: its second argument is lazy. */
const defaultFunction = defineFunction(
  "default",
  { value: "any", other: "any" },
  "any",
  "The value, or other if the value is null or does not exist.",
  ([value]) => value as Value,
);

/** Every function of the language, by name. */
export const functions: ReadonlyMap<string, FunctionDefinition> = new Map(
  [defaultFunction, ...textFunctions, ...collectionFunctions, ...listFunctions, ...conversionFunctions].map((entry) => [
    entry.name,
    entry,
  ]),
);
