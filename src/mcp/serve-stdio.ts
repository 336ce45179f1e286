import type { Readable, Writable } from "node:stream";
import { serveStdio as serve } from "@modelcontextprotocol/server/stdio";
import { createServer } from "./create-server.ts";
import type { Door } from "./door.ts";
import type { Handlers } from "./handlers.ts";
import { LineTransport } from "./line-transport.ts";

/** Serves the one client at the other end of the streams. Resolves when that client is gone, or the signal comes. */
export async function serveStdio(
  door: Door,
  handlers: Handlers,
  streams: { readonly input: Readable; readonly output: Writable },
  signal: AbortSignal,
): Promise<void> {
  const transport = new LineTransport(streams.input, streams.output);
  const onerror = (error: Error): void => door.log("warn", error.message);
  const connection = serve(({ era }) => createServer(door, handlers, era), { transport, onerror });
  await new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await connection.close();
}
