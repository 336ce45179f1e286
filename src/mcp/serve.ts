import { randomBytes } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import type { Door } from "./door.ts";
import { createHandlers } from "./handlers.ts";
import { serveStdio } from "./serve-stdio.ts";
import { createToolSource } from "./tool-source.ts";

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** After that what still runs is ended by force, so that the process is gone within five seconds. */
const stopWithinMs = 1_500;

/** Serves clients until they are gone or the signal comes; then leaves its runs where they are, for others to go on with. */
export async function serve(door: Door, streams: Streams, signal: AbortSignal): Promise<void> {
  const tools = createToolSource(door);
  const handlers = createHandlers(door, tools, randomBytes(32));
  door.log("info", "serving", { workspace: door.settings.workspace, version: door.version });
  await serveStdio(door, handlers, streams, signal);
  tools.close();
  await Promise.race([door.host.stopAll(), new Promise((resolve) => setTimeout(resolve, stopWithinMs).unref())]);
  door.log("info", "stopped");
}
