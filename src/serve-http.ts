import type { Server } from "@modelcontextprotocol/server";
import type { Problem } from "./diagnostic/problem.ts";
import { admit, serveHttp, stateKey } from "./http/serve-http.ts";
import type { Era } from "./mcp/client.ts";
import { createServer } from "./mcp/create-server.ts";
import { isReachable } from "./mcp/reach-run.ts";
import { serve } from "./mcp/serve.ts";
import type { ServerContext } from "./mcp/server-context.ts";
import { createPageFiles } from "./platform/files/page-files.ts";
import { createTokenStore } from "./platform/http/access-token.ts";
import { recoverInHost } from "./runs/recover-in-host.ts";
import type { HttpSettings } from "./runs/server-settings.ts";
import { onStdio, startServing } from "./serve.ts";
import type { Result } from "./util/result.ts";

/** The same with HTTP, which a client that starts a server for itself has no use for. */
export function main(args: readonly string[]): Promise<number> {
  return startServing(args, (context, signal) => {
    const { http } = context.settings;
    return http === undefined ? onStdio(context, signal) : overHttp(context, http, signal);
  });
}

async function overHttp(
  context: ServerContext,
  settings: HttpSettings,
  signal: AbortSignal,
): Promise<Result<void, Problem>> {
  const admission = await admit(settings, createTokenStore(context.platform.stateDirectory));
  if (!admission.ok) return admission;
  return serve(context, stateKey(admission.value), async (handlers) => {
    const create = (era: Era): Server => createServer(context, handlers, era);
    const connection = await serveHttp(
      { context, handlers, create, pageFiles: createPageFiles() },
      admission.value,
      settings,
      signal,
    );
    if (connection.ok && settings.recovers) {
      void recoverInHost({ ...context, isWanted: (workspace) => isReachable(workspace, context) }, signal);
    }
    return connection;
  });
}
