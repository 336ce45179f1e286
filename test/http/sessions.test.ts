import { Server } from "@modelcontextprotocol/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Sessions } from "../../src/http/sessions.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const minutes = 60_000;
const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };

function createSessions(): Sessions {
  const createServer = (): Server => new Server({ name: "test", version: "1" }, { capabilities: { tools: {} } });
  return new Sessions(createServer, () => {});
}

function send(sessions: Sessions, message: object, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  const request = new Request("http://localhost/mcp", { method: "POST", headers: { ...headers, ...more } });
  return sessions.serve(request, { jsonrpc: "2.0", ...message });
}

async function open(sessions: Sessions): Promise<{ readonly status: number; readonly id: string }> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const response = await send(sessions, { id: 1, method: "initialize", params });
  await response.text();
  return { status: response.status, id: response.headers.get("mcp-session-id") ?? "" };
}

async function ping(sessions: Sessions, id: string): Promise<number> {
  const response = await send(sessions, { id: 2, method: "ping" }, { "mcp-session-id": id });
  await response.text();
  return response.status;
}

test("a session that nobody uses is closed after half an hour; one that is used or listened to is not", async () => {
  const sessions = createSessions();
  const [idle, used, held] = [await open(sessions), await open(sessions), await open(sessions)];
  const release = sessions.hold(held.id);
  vi.advanceTimersByTime(29 * minutes);
  expect(await ping(sessions, used.id)).toBe(200);
  vi.advanceTimersByTime(3 * minutes);
  expect(await Promise.all([idle, used, held].map(({ id }) => ping(sessions, id)))).toEqual([404, 200, 200]);
  vi.advanceTimersByTime(32 * minutes);
  expect(await Promise.all([used, held].map(({ id }) => ping(sessions, id)))).toEqual([404, 200]);
  release();
  vi.advanceTimersByTime(32 * minutes);
  expect(await ping(sessions, held.id)).toBe(404);
});

test("when all sessions are in use, no other is opened until one of them is not", async () => {
  const sessions = createSessions();
  const releases: (() => void)[] = [];
  for (let count = 0; count < 100; count += 1) releases.push(sessions.hold((await open(sessions)).id));
  expect((await open(sessions)).status).toBe(503);
  releases[50]?.();
  expect((await open(sessions)).status).toBe(200);
});

test("however many sessions are opened at once, there are at most a hundred", async () => {
  const sessions = createSessions();
  const opened = await Promise.all(Array.from({ length: 150 }, () => open(sessions)));
  expect(opened.filter(({ status }) => status === 200)).toHaveLength(100);
  expect(sessions.servers()).toHaveLength(100);
});

test("a request that opens no session leaves none behind", async () => {
  const sessions = createSessions();
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const refused = await send(sessions, { id: 1, method: "initialize", params }, { accept: "text/plain" });
  expect(refused.status).toBe(406);
  expect(sessions.servers()).toEqual([]);
});
