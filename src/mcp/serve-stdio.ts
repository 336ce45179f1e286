import type { Readable, Writable } from "node:stream";
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio as serve } from "@modelcontextprotocol/server/stdio";
import type { Era } from "./client.ts";
import { createServer } from "./create-server.ts";
import type { Handlers } from "./handlers.ts";
import { LineTransport } from "./line-transport.ts";
import { createRunTeller, hearMessages } from "./run-teller.ts";
import type { ServerContext } from "./server-context.ts";

/** Serves the one client at the other end of the streams. Resolves when that client is gone, or the signal comes. */
export async function serveStdio(
  context: ServerContext,
  handlers: Handlers,
  streams: { readonly input: Readable; readonly output: Writable; readonly hello?: string | number },
  signal: AbortSignal,
): Promise<void> {
  const transport = new LineTransport(streams.input, streams.output, streams.hello);
  const onerror = (error: Error): void => context.log("warn", error.message);
  const servers = new Set<Server>();
  const connect = ({ era }: { readonly era: Era }): Server => {
    const server = createServer(context, handlers, era);
    // Before its client says that it is ready, it is told nothing; a client of today is told what it has subscribed to.
    if (era === "modern") servers.add(server);
    else server.oninitialized = () => servers.add(server);
    const { onclose } = server;
    server.onclose = () => {
      servers.delete(server);
      onclose?.();
    };
    return server;
  };
  const stopTelling = handlers.onToolsChanged(() => {
    for (const server of servers) server.sendToolListChanged().catch(onerror);
  });
  const connection = serve(connect, { transport, onerror });
  const teller = createRunTeller(context, (uri) => {
    for (const server of servers) server.sendResourceUpdated({ uri }).catch(onerror);
  });
  hearMessages(transport, teller);
  await new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  stopTelling();
  teller.stop();
  await connection.close();
}
