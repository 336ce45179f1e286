import { suggestName } from "../../diagnostic/did-you-mean.ts";
import { blockTypeSchema, workflowSchema } from "../../library/json-schema.ts";
import { testFileSchema } from "../../testing/test-schema.ts";
import type { AddCommand } from "../context.ts";
import { printJson, refuse } from "../print-diagnostics.ts";

export const addSchemaCommand: AddCommand = (program, { terminal, openRuntime }, end) => {
  program
    .command("schema")
    .description("print the JSON Schema of workflow files, or of one block type")
    .argument("[type]", "block type")
    .option("--tests", "of test files instead")
    .option("--json", "print one JSON document (the schema is one in any case)")
    .action((type: string | undefined, options: { json?: true; tests?: true }) => {
      const { catalog } = openRuntime(".").workflows;
      if (options.tests) return printJson(testFileSchema(catalog), terminal);
      if (type === undefined) return printJson(workflowSchema(catalog), terminal);
      const found = catalog.find(type);
      if (found !== undefined) return printJson(blockTypeSchema(found), terminal);
      const message = `There is no block type '${type}'.`;
      const fix = suggestName(type, catalog.names, "block type");
      end(refuse([{ code: "unknown-block-type", level: "error", message, fix }], options.json === true, terminal));
    });
};
