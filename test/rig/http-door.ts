import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import type { Frond, Running } from "./frond.ts";
import { type ConnectOptions, createClient, type Reply, readReply } from "./mcp.ts";

/** `frond serve --http`, running. */
export interface HttpDoor {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly running: Running;
  /** What it has written to stderr so far. */
  log(): string;
  /** One request as it is, with the token unless the headers say otherwise. */
  send(request: RequestInit, path?: string): Promise<Response>;
  /** One request of the new era, and its result or error. */
  ask(method: string, params?: Readonly<Record<string, unknown>>, capabilities?: object): Promise<Answer>;
  connect(options?: ConnectOptions): Promise<HttpClient>;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of it
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface HttpClient {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<Reply>;
}

/** With a database (`npm run on-postgres`) a server leaves its runs to workers, so it needs one to be as it is without. */
async function startWorkerBeside(frond: Frond, env: Readonly<Record<string, string>>): Promise<void> {
  const worker = frond.start(["worker", "--concurrency", "8"], { env: { ...env, FROND_LOG_LEVEL: "info" } });
  await Promise.race([
    worker.complaint("taking runs"),
    worker.ended.then(({ stderr }) => Promise.reject(new Error(`The worker has ended: ${stderr}`))),
  ]);
}

export async function openHttpDoor(
  frond: Frond,
  args: readonly string[] = [],
  port = 0,
  env: Readonly<Record<string, string>> = {},
): Promise<HttpDoor> {
  const { FROND_DATABASE_URL: database } = frond.env;
  if (database !== undefined && (env.FROND_DATABASE_URL ?? database) === database) await startWorkerBeside(frond, env);
  const running = frond.start(["serve", "--http", String(port), ...args], { env });
  let log = "";
  running.child.stderr.on("data", (text: string) => {
    log += text;
  });
  await Promise.race([
    running.complaint('"serving"'),
    running.ended.then(({ stderr }) => Promise.reject(new Error(`The server has ended: ${stderr}`))),
  ]);
  const [, url = ""] = /"url":"([^"]*)"/.exec(log) ?? [];
  const token = readFileSync(join(frond.state, "http-token"), "utf8").trim();
  const send = (request: RequestInit, path = "/mcp"): Promise<Response> =>
    fetch(new URL(path, url), { ...request, headers: { authorization: `Bearer ${token}`, ...request.headers } });
  return {
    url,
    port: Number(new URL(url).port),
    token,
    running,
    log: () => log,
    send,
    async ask(method, params = {}, capabilities = {}) {
      const response = await send(modernRequest(method, params, capabilities));
      const [, data] = /^data: (.*)$/m.exec(await response.clone().text()) ?? [];
      const { result, error } = (data === undefined ? await response.json() : JSON.parse(data)) as Answer;
      return { status: response.status, ...(error === undefined ? { result } : { error }) };
    },
    async connect(options = {}) {
      const client = createClient(options);
      const transport = new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      });
      onTestFinished(() => client.close());
      await client.connect(transport);
      const call = async (name: string, given: Readonly<Record<string, unknown>> = {}): Promise<Reply> =>
        readReply(await client.callTool({ name, arguments: { ...given } }));
      return { client, transport, call };
    },
  };
}

let lastId = 0;

/** A request of the new era, whole in itself. */
export function modernRequest(
  method: string,
  params: Readonly<Record<string, unknown>>,
  capabilities: object = {},
): RequestInit {
  lastId += 1;
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const name = params.name ?? params.taskId;
  return {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(name === undefined ? {} : { "mcp-name": String(name) }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params: { ...params, _meta: meta } }),
  };
}

/** A link that lets one browser in. */
export async function pageLink(door: HttpDoor): Promise<string> {
  const headers = { "content-type": "application/json", "x-frond": "1" };
  const answer = await door.send({ method: "POST", headers, body: "{}" }, "/api/links");
  return ((await answer.json()) as { readonly url: string }).url;
}
