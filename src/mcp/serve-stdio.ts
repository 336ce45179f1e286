import type { Readable, Writable } from "node:stream";
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio as serve } from "@modelcontextprotocol/server/stdio";
import type { Era } from "./client.ts";
import { createServer } from "./create-server.ts";
import type { Door } from "./door.ts";
import type { Handlers } from "./handlers.ts";
import { LineTransport } from "./line-transport.ts";
import { createRunTeller, hearMessages } from "./run-teller.ts";

/** Serves the one client at the other end of the streams. Resolves when that client is gone, or the signal comes. */
export async function serveStdio(
  door: Door,
  handlers: Handlers,
  streams: { readonly input: Readable; readonly output: Writable },
  signal: AbortSignal,
): Promise<void> {
  const transport = new LineTransport(streams.input, streams.output);
  const onerror = (error: Error): void => door.log("warn", error.message);
  let server: Server | undefined;
  const create = ({ era }: { readonly era: Era }): Server => {
    server = createServer(door, handlers, era);
    return server;
  };
  const connection = serve(create, { transport, onerror });
  const teller = createRunTeller(door, (uri) => void server?.sendResourceUpdated({ uri }).catch(onerror));
  hearMessages(transport, teller);
  await new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  teller.stop();
  await connection.close();
}
