import { Server } from "@modelcontextprotocol/server";
import { expect, onTestFinished, test } from "vitest";
import { createMcpEndpoint, type McpEndpoint } from "../../src/http/mcp-endpoint.ts";

/** A server whose one tool never ends by itself, and a session of the old era. */
async function openSession(): Promise<{
  readonly mcp: McpEndpoint;
  post(message: object): Promise<Response>;
  /** What comes without being asked for, until the end. */
  listen(): Promise<Response>;
  end(): Promise<Response>;
}> {
  const create = (): Server => {
    const capabilities = { tools: { listChanged: true } };
    const server = new Server({ name: "test", version: "1" }, { capabilities });
    server.setRequestHandler("tools/call", (_, { mcpReq }) => {
      return new Promise((resolve) => mcpReq.signal.addEventListener("abort", () => resolve({ content: [] })));
    });
    return server;
  };
  const mcp = createMcpEndpoint({ create, hear: () => undefined }, () => {});
  onTestFinished(() => mcp.close());
  let session = {};
  const send = (method: string, body?: object): Promise<Response> => {
    const accept = body === undefined ? "text/event-stream" : "application/json, text/event-stream";
    const headers = { "content-type": "application/json", accept, ...session };
    const text = body === undefined ? {} : { body: JSON.stringify({ jsonrpc: "2.0", ...body }) };
    return mcp.fetch(new Request("http://localhost/mcp", { method, headers, ...text }));
  };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const opened = await send("POST", { id: 1, method: "initialize", params });
  await opened.text();
  session = { "mcp-session-id": opened.headers.get("mcp-session-id") };
  return { mcp, post: (message) => send("POST", message), listen: () => send("GET"), end: () => send("DELETE") };
}

test("a session is told of other tools only when its client has said that it is ready", async () => {
  const { mcp, post, listen, end } = await openSession();
  const heard = await listen();
  mcp.announce.toolsChanged();
  await post({ method: "notifications/initialized" });
  mcp.announce.toolsChanged();
  await end();
  expect((await heard.text()).match(/list_changed/g)).toHaveLength(1);
});

test("the answer to a call that is cancelled ends without one, so that nobody listens for it for ever", async () => {
  const { post } = await openSession();
  await post({ method: "notifications/initialized" });
  const answer = await post({ id: 2, method: "tools/call", params: { name: "endless", arguments: {} } });
  await post({ method: "notifications/cancelled", params: { requestId: 2 } });
  expect(await answer.text()).toBe("");
});
