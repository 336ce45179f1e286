import { type CompleteRequest, ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import { type Completer, completeRun, completeWorkflow } from "./complete.ts";
import { findPrompt } from "./prompts.ts";
import { logTemplate, runTemplate, workflowTemplate } from "./resource-uris.ts";
import type { ServerContext } from "./server-context.ts";

/** What stands in braces in a template, and how it is completed. */
const templates: Readonly<Record<string, Readonly<Record<string, Completer>>>> = {
  [workflowTemplate]: { name: completeWorkflow },
  [runTemplate]: { id: completeRun },
  [logTemplate]: { id: completeRun },
};

/** Names of workflows and ids of runs, while a person types them. */
export function addCompletions(server: Server, context: ServerContext): void {
  server.registerCapabilities({ completions: {} });
  server.setRequestHandler("completion/complete", async ({ params }) => {
    const complete = findCompleter(params);
    if (complete === undefined) return { completion: { values: [], total: 0, hasMore: false } };
    return { completion: await complete(params.argument.value, context) };
  });
}

function findCompleter({ ref, argument }: CompleteRequest["params"]): Completer | undefined {
  if (ref.type === "ref/prompt") {
    const { arguments: known } = findPrompt(ref.name);
    return known.find(({ name }) => name === argument.name)?.complete;
  }
  const template = templates[ref.uri];
  if (template !== undefined) return template[argument.name];
  const fix = suggestName(ref.uri, Object.keys(templates), "template");
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no resource template '${ref.uri}'. ${fix}`);
}
