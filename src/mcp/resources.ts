import { ProtocolError, ProtocolErrorCode, type Server } from "@modelcontextprotocol/server";
import type { Listening } from "../views/watch-runs.ts";
import { describeClient, type Era } from "./client.ts";
import { listResources } from "./list-resources.ts";
import { reachRun } from "./reach-run.ts";
import { readResource } from "./read-resource.ts";
import { parseUri, resourceTemplates, runUri } from "./resource-uris.ts";
import type { ServerContext } from "./server-context.ts";
import { explainForModel } from "./word-advice.ts";

/** Workflows and runs as resources. Modern clients subscribe by listening, which the connection deals with. */
export function addResources(server: Server, context: ServerContext, era: Era): void {
  server.registerCapabilities({ resources: { subscribe: true } });
  server.setRequestHandler("resources/list", ({ params }, request) =>
    listResources(params?.cursor, describeClient(server, request, era), context),
  );
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [...resourceTemplates] }));
  server.setRequestHandler("resources/read", ({ params }) => readResource(params.uri, context));
  if (era === "legacy") addSubscriptions(server, context);
}

function addSubscriptions(server: Server, context: ServerContext): void {
  /** The URI under which the client knows each run it has subscribed to. */
  const subscribed = new Map<string, string>();
  let listening: Listening | undefined;
  let isClosed = false;
  const stop = (): void => {
    listening?.stop();
    listening = undefined;
  };
  const tell = (changed: string): void => {
    const known = subscribed.get(changed);
    // Whoever is gone hears nothing more.
    if (known !== undefined) server.sendResourceUpdated({ uri: known }).catch(stop);
  };
  server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
    const runId = await findSubscribed(uri, context);
    subscribed.set(runId, uri);
    if (isClosed) return {};
    listening ??= context.runWatch.listen(tell);
    try {
      await listening.begun;
    } catch (error) {
      stop();
      throw error;
    }
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    for (const [runId, known] of subscribed) if (known === uri) subscribed.delete(runId);
    if (subscribed.size === 0) stop();
    return {};
  });
  const { onclose } = server;
  server.onclose = () => {
    onclose?.();
    isClosed = true;
    stop();
  };
}

async function findSubscribed(uri: string, context: ServerContext): Promise<string> {
  const target = parseUri(uri);
  if (target?.kind !== "run") {
    const message = `'${uri}' can't be subscribed to, only runs can: ${runUri("ID")}.`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  }
  const run = await reachRun(target.id, context);
  if (run.ok) return run.value.runId;
  const { message, fix = "" } = explainForModel(run.error);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${message} ${fix}`.trim());
}
