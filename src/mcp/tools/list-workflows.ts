import * as z from "zod";
import { listWorkflows as listAll, type WorkflowSummary } from "../../library/describe-workflow.ts";
import { describeBroken, describeListed, describeWarnings } from "../describe-library.ts";
import { fitPage } from "../fit-response.ts";
import { result } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";
import { cursor, limit, pageRoom } from "./parameters.ts";

export const listWorkflows: Tool = defineTool({
  name: "list_workflows",
  title: "List workflows",
  description:
    "Lists the workflows that can be run by name, and files that are broken. Next: get_workflow_info for the inputs of one, then execute_workflow.",
  toolset: "core",
  effect: "reads",
  parameters: () =>
    z.strictObject({
      tags: z.array(z.string()).default([]).describe("All must match"),
      query: z.string().default("").describe("Words in name, description or tags"),
      limit,
      cursor,
    }),
  async call(args, _call, { openRuntime, settings }) {
    const { workflows } = openRuntime(settings.workspace);
    const words = args.query.toLowerCase().split(/\s+/).filter(Boolean);
    const found = listAll(workflows).filter(
      (workflow) => args.tags.every((tag) => workflow.tags.includes(tag)) && hasWords(workflow, words),
    );
    const start = args.cursor === undefined ? 0 : found.findIndex(({ name }) => name > (args.cursor as string));
    const page = start < 0 ? [] : fitPage(found.slice(start, start + args.limit).map(describeListed), pageRoom);
    const last = page.at(-1);
    const broken = describeBroken(workflows);
    return result({
      workflows: page,
      total: found.length,
      ...(last !== undefined && start + page.length < found.length ? { next_cursor: last.name } : {}),
      ...(broken.length === 0 ? {} : { broken }),
      ...describeWarnings(workflows),
    });
  },
});

function hasWords({ name, description, tags }: WorkflowSummary, words: readonly string[]): boolean {
  const text = `${name} ${description} ${tags.join(" ")}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
