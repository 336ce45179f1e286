import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  type ServerContext as RequestContext,
  type Server,
} from "@modelcontextprotocol/server";
import { defined } from "../util/defined.ts";
import type { Call } from "./call.ts";

/** Of the protocol: `legacy` opens with `initialize`, `modern` sends what it can do with every request. */
export type Era = "legacy" | "modern";

/** A request, and the client it comes from. */
export interface ClientRequest {
  /** Of the connection that it came by. */
  readonly server: Server;
  readonly context: RequestContext;
  readonly era: Era;
  readonly capabilities: ClientCapabilities;
  /** What it calls itself. */
  readonly name?: string;
}

export const tasksExtension = "io.modelcontextprotocol/tasks";

/** What a request of a modern client says of that, as far as it is looked at here. */
interface Envelope {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
  readonly [CLIENT_INFO_META_KEY]?: { readonly name: string };
}

export function describeClient(server: Server, context: RequestContext, era: Era): ClientRequest {
  const envelope: Envelope = context.mcpReq.envelope ?? {};
  const isLegacy = era === "legacy";
  const declared = isLegacy ? server.getClientCapabilities() : envelope[CLIENT_CAPABILITIES_META_KEY];
  const info = isLegacy ? server.getClientVersion() : envelope[CLIENT_INFO_META_KEY];
  return { server, context, era, capabilities: declared ?? {}, ...defined({ name: info?.name }) };
}

function takesTasks({ era, capabilities }: ClientRequest): boolean {
  return era === "modern" && capabilities.extensions?.[tasksExtension] !== undefined;
}

/** Before there were modes, a client that could elicit could show forms. */
function takesForms({ capabilities: { elicitation } }: ClientRequest): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

export function demandTasks(request: ClientRequest): void {
  if (takesTasks(request)) return;
  const requiredCapabilities = { extensions: { [tasksExtension]: {} } };
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
}

/** Longer than most workflows take that are called for their result; a task for such a one is only more calls. */
const taskAfterMs = 2_000;

export function describeCall(request: ClientRequest): Call {
  const { mcpReq } = request.context;
  const { progressToken, traceparent } = (mcpReq._meta ?? {}) as NonNullable<typeof mcpReq._meta>;
  const call = {
    signal: mcpReq.signal,
    elicits: takesForms(request),
    ...defined({ client: request.name }),
    ...(typeof traceparent === "string" ? { traceParent: traceparent } : {}),
    ...(takesTasks(request) ? { taskAfterMs } : {}),
  };
  if (progressToken === undefined) return call;
  return {
    ...call,
    progress: (progress, total, message) => {
      const params = { progressToken, progress, total, message };
      // Whoever is gone hears no progress.
      mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
    },
  };
}
