import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  PARSE_ERROR,
  type Server,
} from "@modelcontextprotocol/server";
import type { Era } from "../mcp/client.ts";
import type { Authorise, Endpoint } from "./endpoint.ts";
import { notJsonType } from "./not-json-type.ts";
import { rpcError } from "./rpc-error.ts";
import { Sessions, sessionHeader } from "./sessions.ts";

/** What answers clients. */
export interface Answering {
  /** Makes a server object of the SDK for one request, or one session. */
  create(era: Era): Server;
  /** Hears what a client of the new era says, before it is answered. */
  hear(message: unknown): Promise<void> | undefined;
}

/** MCP over HTTP, for clients of both eras. */
export interface McpEndpoint {
  readonly sessions: Sessions;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly announce: Announce;
  readonly close: () => Promise<void>;
}

/** Tells those who listen that something is no longer what it was. */
export interface Announce {
  toolsChanged(): void;
  /** Only to the new era: in a session, the server object knows itself what its client has subscribed to. */
  resourceUpdated(uri: string): void;
}

/** Requests of the new era stand alone; the old era has sessions, because without them a server can't ask its client anything. */
export function createMcpEndpoint(answering: Answering, report: (error: Error) => void): McpEndpoint {
  const modern = createMcpHandler(({ era }) => answering.create(era), { legacy: "reject", onerror: report });
  const sessions = new Sessions(() => answering.create("legacy"), report);
  return {
    sessions,
    async fetch(request) {
      const body = request.method === "POST" ? parseJson(await request.text()) : undefined;
      if (body === notJson) return rpcError(400, "The body is not JSON: send one message of JSON-RPC.", PARSE_ERROR);
      if (await isLegacyRequest(request, body)) return sessions.serve(request, body);
      await answering.hear(body);
      return modern.fetch(request, { parsedBody: body });
    },
    announce: {
      toolsChanged() {
        modern.notify.toolsChanged();
        for (const server of sessions.readyServers()) server.sendToolListChanged().catch(report);
      },
      resourceUpdated: (uri) => modern.notify.resourceUpdated(uri),
    },
    async close() {
      await Promise.all([modern.close(), sessions.close()]);
    },
  };
}

export function mcpAt(path: string, { sessions, fetch, close }: McpEndpoint, authorise: Authorise): Endpoint {
  return {
    path,
    serves: "MCP",
    methods: ["GET", "POST", "DELETE"],
    authorise,
    checkHeaders({ method, headers }) {
      if (method !== "POST" || isJsonContentType(headers["content-type"])) return undefined;
      return notJsonType;
    },
    hold: ({ headers }) => sessions.hold(String(headers[sessionHeader])),
    fetch,
    refuse: ({ status, message }) => rpcError(status, message),
    close,
  };
}

const notJson = Symbol("not JSON");

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return notJson;
  }
}
