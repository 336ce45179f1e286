import type { Catalog } from "../block/catalog.ts";
import { type JsonSchema, listKeys, mapSchema } from "../definition/key.ts";
import { workflowSchema } from "../library/json-schema.ts";
import { caseKeys } from "./load-case.ts";
import { matcherKeys } from "./load-expectation.ts";
import { testFileKeys } from "./load-test-file.ts";

/** The JSON Schema of a test file, for editors. */
export function testFileSchema(catalog: Catalog): JsonSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Tests of a Frond workflow",
    ...mapSchema(listKeys(testFileKeys), catalog),
    $defs: {
      ...workflowSchema(catalog).$defs,
      case: mapSchema(listKeys(caseKeys), catalog),
      expected: {
        description: "A value to be equal to (of a map: the keys that are named), or a matcher",
        anyOf: [{ $ref: "#/$defs/matcher" }, {}],
      },
      matcher: { ...mapSchema(matcherKeys, catalog), minProperties: 1, maxProperties: 1 },
    },
  };
}
