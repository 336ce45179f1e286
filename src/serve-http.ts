import type { Server } from "@modelcontextprotocol/server";
import type { Problem } from "./diagnostic/problem.ts";
import { admit, serveHttp, stateKey } from "./http/serve-http.ts";
import type { Era } from "./mcp/client.ts";
import { createServer } from "./mcp/create-server.ts";
import type { Door } from "./mcp/door.ts";
import { serve } from "./mcp/serve.ts";
import { createTokenStore } from "./platform/http/access-token.ts";
import type { HttpSettings } from "./runs/server-settings.ts";
import { onStdio, startServing } from "./serve.ts";
import type { Result } from "./util/result.ts";

/** The same with HTTP, which a client that starts a server for itself has no use for. */
export function main(args: readonly string[]): Promise<number> {
  return startServing(args, (door, signal) => {
    const { http } = door.settings;
    return http === undefined ? onStdio(door, signal) : overHttp(door, http, signal);
  });
}

async function overHttp(door: Door, settings: HttpSettings, signal: AbortSignal): Promise<Result<void, Problem>> {
  const admission = await admit(settings, createTokenStore(door.platform.stateDirectory));
  if (!admission.ok) return admission;
  return serve(door, stateKey(admission.value), (handlers) => {
    const create = (era: Era): Server => createServer(door, handlers, era);
    return serveHttp({ door, handlers, create }, admission.value, settings, signal);
  });
}
