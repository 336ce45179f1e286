import { request } from "node:http";
import { onTestFinished } from "vitest";
import { apiRoutes } from "../../src/http/api/index.ts";
import { apiAt } from "../../src/http/api-endpoint.ts";
import { withDoorRoutes } from "../../src/http/door-routes.ts";
import { byToken } from "../../src/http/guard.ts";
import { healthAt } from "../../src/http/health-endpoint.ts";
import { listen } from "../../src/http/listen.ts";
import { createMcpEndpoint, mcpAt } from "../../src/http/mcp-endpoint.ts";
import { metricsAt } from "../../src/http/metrics-endpoint.ts";
import type { PageContext } from "../../src/http/page-context.ts";
import { openAt, pageAt } from "../../src/http/page-endpoint.ts";
import type { Route } from "../../src/http/route.ts";
import { createVisitors, type Visitors } from "../../src/http/visitors.ts";

export const token = "the-token-of-this-server-and-of-no-other";

/** Every route that is served, in the order of the list. */
export const routes: readonly Route[] = withDoorRoutes(apiRoutes, (to = "/") => `http://server/open?to=${to}`);

export interface PageDoor {
  readonly port: number;
  readonly visitors: Visitors;
  /** A cookie that lets a browser in. */
  cookie(): string;
  send(method: string, path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export interface PageDoorOptions {
  readonly purpose?: string;
  readonly isReadOnly?: boolean;
  readonly routes?: readonly Route[];
  now?(): number;
}

/** The server's door with all that it has: its routes do nothing but say that they were reached, unless others are given. */
export async function openPageDoor(options: PageDoorOptions = {}): Promise<PageDoor> {
  const { purpose = "a project", isReadOnly = false, now = Date.now } = options;
  const reached = routes.map((route): Route => ({ ...route, answer: async () => Response.json({ reached: true }) }));
  const authorise = byToken(token, "/state/http-token");
  const visitors = createVisitors({ token, purpose, byToken: authorise, now });
  const context = { settings: { isReadOnly }, version: "1" } as PageContext;
  const create = (): never => {
    throw new Error("Nobody gets this far.");
  };
  const mcp = createMcpEndpoint({ create, hear: () => undefined }, () => {});
  const bytes = Buffer.from("<!doctype html>");
  const page = { type: "text/html", bytes, isFixed: false };
  const files = { find: (name: string) => (["index.html", "main.js"].includes(name) ? page : undefined) };
  const endpoints = [
    mcpAt("/mcp", { ...mcp, fetch: async () => Response.json({ reached: true }) }, authorise),
    apiAt("/api", options.routes ?? reached, visitors.authorise, context),
    healthAt("/healthz", { isDraining: () => false, reachJournal: async () => true }),
    metricsAt("/metrics", async () => "frond_info 1\n", authorise),
    openAt("/open", visitors, (challenge) => `proof of ${challenge}`),
    pageAt(files, visitors.authorise),
  ];
  const opened = await listen(endpoints, {
    address: "127.0.0.1",
    ports: [0],
    allowedHosts: ["frond.example"],
    authorise,
    log() {},
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const { port, close } = opened.value;
  onTestFinished(close);
  return {
    port,
    visitors,
    cookie: () => visitors.redeem(visitors.issueKey(), `127.0.0.1:${port}`)?.split(";")[0] ?? "",
    send: (method, path, headers = {}) => send(port, method, path, headers),
    close,
  };
}

/** With headers that fetch keeps to itself. */
function send(port: number, method: string, path: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, method, path, headers, host: "127.0.0.1", agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    sent.on("error", reject);
    sent.end(method === "POST" ? "{}" : undefined);
  });
}
