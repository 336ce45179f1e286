import type { Server } from "@modelcontextprotocol/server";
import { start } from "../../src/app.ts";
import type { Problem } from "../../src/diagnostic/problem.ts";
import { admit, serveHttp, stateKey } from "../../src/http/serve-http.ts";
import type { Era } from "../../src/mcp/client.ts";
import { createServer } from "../../src/mcp/create-server.ts";
import { createHandlers } from "../../src/mcp/handlers.ts";
import type { ServerContext } from "../../src/mcp/server-context.ts";
import { createLog } from "../../src/platform/files/create-log.ts";
import { createTokenStore } from "../../src/platform/http/access-token.ts";
import { createServerContext } from "../../src/serve.ts";
import { createMetrics } from "../../src/telemetry/run-metrics.ts";
import { ok, type Result } from "../../src/util/result.ts";
import { addFixtures } from "./fixture-features.ts";
import { withContentTools } from "./fixture-handlers.ts";
import { hideEndedRuns, withUnreadableRuns } from "./unreadable-runs.ts";
import { toolSource } from "./workflow-tools.ts";

/**
 * The server with what the conformance suite expects to find in it: the same engine, handlers and HTTP door, put together here so
 * that the product needs no switch for it.
 */
const log = createLog(process.stderr, process.env.FROND_LOG_LEVEL);

process.exitCode = await start(process.argv.slice(2), {
  warn: (message) => log("warn", message),
  serve(settings, parts) {
    const unreadable = "protocol-error-job";
    const platform = withUnreadableRuns(parts.platform, unreadable);
    const context = createServerContext(settings, { ...parts, platform }, log);
    hideEndedRuns(context.host, unreadable);
    return serve(context, parts.signal);
  },
});

async function serve(context: ServerContext, signal: AbortSignal): Promise<Result<void, Problem>> {
  const { http } = context.settings;
  if (http === undefined) throw new Error("The suite speaks HTTP: give --http.");
  const admission = await admit(http, createTokenStore(context.platform.stateDirectory));
  if (!admission.ok) return admission;
  const handlers = withContentTools(createHandlers(context, toolSource, stateKey(admission.value)));
  const create = (era: Era): Server => {
    const server = createServer(context, handlers, era);
    addFixtures(server, era);
    return server;
  };
  const connection = await serveHttp(
    { context, handlers, create, pageFiles: { find: () => undefined }, metrics: createMetrics("test") },
    admission.value,
    http,
    signal,
  );
  if (!connection.ok) return connection;
  await connection.value.ended;
  await context.host.stopAll();
  await connection.value.close();
  return ok(undefined);
}
