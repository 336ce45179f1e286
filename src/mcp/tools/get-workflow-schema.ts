import * as z from "zod";
import { suggestName } from "../../diagnostic/did-you-mean.ts";
import { problem } from "../../diagnostic/problem.ts";
import { blockTypeSchema, outlineSchema } from "../../library/json-schema.ts";
import { refuse, result } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";

export const getWorkflowSchema: Tool = defineTool({
  name: "get_workflow_schema",
  title: "How to write a workflow",
  description:
    "JSON Schema of a workflow file, with every block type named; with block_type, what that one takes and gives. Next: validate_workflow_yaml.",
  toolset: "authoring",
  effect: "reads",
  parameters: () => z.strictObject({ block_type: z.string().min(1).optional() }),
  async call({ block_type: name }, _call, { catalog }) {
    if (name === undefined) return result(outlineSchema(catalog), "detailed");
    const type = catalog.find(name);
    if (type !== undefined) return result(blockTypeSchema(type), "detailed");
    const fix = suggestName(name, catalog.names, "block type");
    return refuse(problem("unknown-block-type", `There is no block type '${name}'.`, fix));
  },
});
