import * as z from "zod";
import { problem } from "../../diagnostic/problem.ts";
import { findInWorkspace } from "../../library/find-in-workspace.ts";
import type { CheckedWorkflow } from "../../library/workflows.ts";
import { isReachable } from "../../mcp/reach-run.ts";
import type { ServerContext } from "../../mcp/server-context.ts";
import { toToolName } from "../../mcp/workflow-tools.ts";
import { defined } from "../../util/defined.ts";
import { pathBelow } from "../../util/path-below.ts";
import { err, ok } from "../../util/result.ts";
import { inSlices } from "../../util/time-slice.ts";
import { withFrames } from "../../views/page/code-frames.ts";
import { describeLine } from "../../views/page/run-line.ts";
import { describeFacts } from "../../views/page/workflow-facts.ts";
import { describeGraph } from "../../views/page/workflow-graph.ts";
import { describeProblems, describeTrust } from "../../views/page/workflow-lines.ts";
import type { WorkflowPage } from "../../views/page/workflow-records.ts";
import { readUsual } from "../../views/page/workflow-usual.ts";
import { pageWords } from "../page-words.ts";
import { defineRoute, type Route } from "../route.ts";

export const getWorkflowRoute: Route = defineRoute({
  method: "GET",
  path: "/workflows/*name",
  summary:
    "A workflow before it runs: what it takes, gives, does and can touch, its text, and what its latest runs took.",
  effect: "reads",
  query: () =>
    z.strictObject({
      at: z.string().default("").describe("Address of a block: the graph is of what is inside it"),
    }),
  gives: () =>
    z.looseObject({
      facts: z.looseObject({ name: z.string(), description: z.string() }),
      file: z.string(),
      yaml: z.string(),
      graph: z.looseObject({ blocks: z.array(z.looseObject({})), edges: z.array(z.looseObject({})) }),
      latest: z.array(z.looseObject({})),
    }),
  async answer({ params: { name = "" }, query: { at } }, context) {
    const { openRuntime, settings, platform } = context;
    const { workflows } = openRuntime(settings.workspace);
    const { plan, diagnostics } = await inSlices(find(name, context, workflows));
    if (plan === undefined) return err(diagnostics);
    const graph = describeGraph(plan, (key) => workflows.planOf(key), at);
    if (graph === undefined) return err(problem("no-block", `There is nothing inside '${at}' in this workflow.`));
    const { definition } = plan;
    const { source } = definition;
    const entry = workflows.entryOf(source.file ?? source.name);
    const page: WorkflowPage = {
      facts: await inSlices(describeFacts(plan, (key) => workflows.callable(key), platform)),
      file: pathBelow(settings.workspace, source.name) ?? source.name,
      ...defined({ source: entry?.source }),
      trust: describeTrust(source.name, entry?.standing ?? "trusted", pageWords),
      yaml: source.text,
      graph,
      problems: withFrames(describeProblems(diagnostics, source.text, pageWords.advice), source.text),
      ...(await readUsual(platform, definition.name, (directory) => isReachable(directory, context), describeLine)),
      tool: toolOf(definition.name, definition.expose === "tool" || settings.exposed.includes(definition.name)),
    };
    return ok(page);
  },
});

/** One that nobody trusts yet can be looked at, so that somebody can. */
function* find(
  name: string,
  { settings }: ServerContext,
  workflows: Parameters<typeof findInWorkspace>[3],
): Generator<void, CheckedWorkflow> {
  const found = yield* findInWorkspace(name, "check", settings.workspace, workflows);
  if (found.definition !== undefined) return found;
  const entry = workflows.library.entries().find((one) => one.name === name);
  return entry === undefined ? found : yield* workflows.checkEntryInSlices(entry);
}

function toolOf(workflow: string, isExposed: boolean): WorkflowPage["tool"] {
  return { name: isExposed ? toToolName(workflow) : "execute_workflow", takes_inputs: isExposed };
}
