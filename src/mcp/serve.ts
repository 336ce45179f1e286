import type { Problem } from "../diagnostic/problem.ts";
import { ok, type Result } from "../util/result.ts";
import { createHandlers, type Handlers } from "./handlers.ts";
import type { ServerContext } from "./server-context.ts";
import { createToolSource } from "./tool-source.ts";

/** How clients reach the server. */
export interface Connection {
  /** Resolves when they are gone, or when it is time to end. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

export type Connect = (handlers: Handlers) => Promise<Result<Connection, Problem>>;

/** After that what still runs is ended by force, so that the process is gone within five seconds. */
const stopWithinMs = 1_500;

/** Serves clients until they are gone; then leaves its runs where they are, for others to go on with. `hasTools`: they know the tools that come with Frond. */
export async function serve(
  context: ServerContext,
  stateKey: Uint8Array,
  connect: Connect,
  hasTools = false,
): Promise<Result<void, Problem>> {
  const tools = createToolSource(context, hasTools);
  const handlers = createHandlers(context, tools, stateKey);
  const connection = await connect(handlers);
  if (!connection.ok) {
    tools.close();
    return connection;
  }
  context.log("info", "serving", { workspace: context.settings.workspace, version: context.version });
  await connection.value.ended;
  tools.close();
  await Promise.race([context.host.stopAll(), new Promise((resolve) => setTimeout(resolve, stopWithinMs).unref())]);
  await connection.value.close();
  context.log("info", "stopped");
  return ok(undefined);
}
