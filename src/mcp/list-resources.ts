import type { ListResourcesResult, Resource } from "@modelcontextprotocol/server";
import { listWorkflows } from "../library/describe-workflow.ts";
import { listRuns } from "../views/list-runs.ts";
import type { ClientRequest } from "./client.ts";
import { isReachable } from "./reach-run.ts";
import { runUri, schemaUri, workflowListUri, workflowUri } from "./resource-uris.ts";
import { runApp, showsApps } from "./run-app.ts";
import type { ServerContext } from "./server-context.ts";

const workflowsPerPage = 50;
/** Clients put what is listed before a person or a model: older runs are read by their ids. */
const mostRuns = 20;

const fixedResources: readonly Resource[] = [
  {
    uri: workflowListUri,
    name: "workflows",
    title: "All workflows",
    description: "Every workflow that can be run by name, and files that are broken.",
    mimeType: "application/json",
  },
  {
    uri: schemaUri,
    name: "workflow-schema",
    title: "JSON Schema of workflows",
    description: "The whole schema of a workflow file, with what every block type takes and gives.",
    mimeType: "application/json",
  },
];

/** Page by page: what is always there, the workflows by name, and the newest runs at the end. A cursor is the name before. */
export async function listResources(
  cursor: string | undefined,
  client: Pick<ClientRequest, "capabilities">,
  context: ServerContext,
): Promise<ListResourcesResult> {
  const { workflows } = context.openRuntime(context.settings.workspace);
  const rest = listWorkflows(workflows).filter(
    ({ name, trusted }) => trusted && (cursor === undefined || name > cursor),
  );
  const page = rest.slice(0, workflowsPerPage);
  const last = page.at(-1);
  const listed: Resource[] = page.map(({ name, description }) => ({
    uri: workflowUri(name),
    name,
    description: description.trim(),
    mimeType: "application/yaml",
  }));
  const resources =
    cursor === undefined ? [...fixedResources, ...(showsApps(client) ? [runApp] : []), ...listed] : listed;
  if (last !== undefined && page.length < rest.length) return { resources, nextCursor: last.name };
  return { resources: [...resources, ...(await listNewestRuns(context))] };
}

async function listNewestRuns(context: ServerContext): Promise<Resource[]> {
  const { runs } = await listRuns(context.platform, {
    limit: mostRuns,
    isWanted: (workspace) => isReachable(workspace, context),
  });
  return runs.map(({ summary: { runId, workflow, startedAt }, status }) => ({
    uri: runUri(runId),
    name: runId,
    description: `${workflow}, ${status}, started ${startedAt}`,
    mimeType: "application/json",
  }));
}
