import * as z from "zod";
import { suggestName } from "../../diagnostic/did-you-mean.ts";
import { problem } from "../../diagnostic/problem.ts";
import { describeBlockType } from "../../library/describe-blocks.ts";
import { writeAuthoringGuide } from "../authoring.ts";
import { refuse } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";

export const getWorkflowSchema: Tool = defineTool({
  name: "get_workflow_schema",
  title: "How to write a workflow",
  description:
    "The language on a page: keys, block types, expressions, all functions, examples. With block_type, all that one takes and gives. Next: validate_workflow_yaml.",
  toolset: "authoring",
  effect: "reads",
  parameters: () => z.strictObject({ block_type: z.string().min(1).optional() }),
  async call({ block_type: name }, _call, context) {
    if (name === undefined) return { kind: "text", texts: [`# Frond workflows\n\n${writeAuthoringGuide(context)}`] };
    const { catalog, readExample } = context;
    const type = catalog.find(name);
    if (type !== undefined) return { kind: "text", texts: [describeBlockType(type, readExample(type.type))] };
    const fix = suggestName(name, catalog.names, "block type");
    return refuse(problem("unknown-block-type", `There is no block type '${name}'.`, fix));
  },
});
