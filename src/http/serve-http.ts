import { createHmac } from "node:crypto";
import type { Server } from "@modelcontextprotocol/server";
import { type Problem, problem } from "../diagnostic/problem.ts";
import type { Era } from "../mcp/client.ts";
import type { Handlers } from "../mcp/handlers.ts";
import { createRunTeller } from "../mcp/run-teller.ts";
import type { Connection } from "../mcp/serve.ts";
import type { ServerContext } from "../mcp/server-context.ts";
import type { HttpSettings, ServerSettings } from "../runs/server-settings.ts";
import type { Metrics } from "../telemetry/run-metrics.ts";
import { err, ok, type Result } from "../util/result.ts";
import { isLoopback } from "./allowed-hosts.ts";
import { apiRoutes } from "./api/index.ts";
import { apiAt } from "./api-endpoint.ts";
import { withDoorRoutes } from "./door-routes.ts";
import { byToken } from "./guard.ts";
import { healthAt } from "./health-endpoint.ts";
import { listen } from "./listen.ts";
import { createMcpEndpoint, mcpAt } from "./mcp-endpoint.ts";
import { metricsAt } from "./metrics-endpoint.ts";
import { obtainToken, type Tokens } from "./obtain-token.ts";
import { createPageContext } from "./page-context.ts";
import { openAt, type PageFiles, pageAt } from "./page-endpoint.ts";
import { proveToken } from "./prove-token.ts";
import { reachable } from "./reachable.ts";
import { healthOf } from "./serve-figures.ts";
import { createVisitors } from "./visitors.ts";

/** What an HTTP server is served with, once it is sure that it may be. */
export interface Admission {
  /** The address that the host stands for. */
  readonly address: string;
  readonly token: string;
  readonly tokenFile: string;
}

/** Decides whether to serve at all: other machines only with a token that is there already. */
export async function admit({ host }: Pick<HttpSettings, "host">, tokens: Tokens): Promise<Result<Admission, Problem>> {
  const address = await resolveHost(host);
  if (address === undefined) {
    return err(problem("bad-host", `There is no host '${host}'.`, "Give --host one of this machine's addresses."));
  }
  const token = obtainToken(tokens, !isLoopback(address));
  return token.ok ? ok({ address, token: token.value, tokenFile: tokens.file }) : token;
}

async function resolveHost(host: string): Promise<string | undefined> {
  const { lookup } = process.getBuiltinModule("node:dns/promises");
  try {
    return (await lookup(host.replace(/^\[(.*)\]$/, "$1"))).address;
  } catch {
    return undefined;
  }
}

/** For what clients carry from one request to the next. The same after a restart, so that no round is lost by it. */
export function stateKey({ token }: Admission): Uint8Array {
  return createHmac("sha256", token).update("request state").digest();
}

const mcpPath = "/mcp";
const openPath = "/open";

/** What there is to serve. */
export interface Served {
  readonly context: ServerContext;
  readonly handlers: Handlers;
  /** Makes a server object of the SDK for one request, or one session. */
  create(era: Era): Server;
  readonly pageFiles: PageFiles;
  readonly metrics: Metrics;
}

export interface HttpConnection extends Connection {
  /** Of the page. */
  readonly url: string;
  /** A link that lets one browser in, once. */
  issueLink(): string;
}

/** Serves clients of both eras and people with a browser, any number at a time, until the signal comes. */
export async function serveHttp(
  { context, handlers, create, pageFiles, metrics }: Served,
  { address, token, tokenFile }: Admission,
  { ports, allowedHosts }: HttpSettings,
  signal: AbortSignal,
): Promise<Result<HttpConnection, Problem>> {
  const { log, settings, platform, host } = context;
  const teller = createRunTeller(context, (uri) => mcp.announce.resourceUpdated(uri));
  // Mostly what a client did wrong, and has been told.
  const report = (error: Error): void => log("debug", error.message);
  const mcp = createMcpEndpoint({ create, hear: (message) => teller.hear(message) }, report);
  const authorise = byToken(token, tokenFile);
  const visitors = createVisitors({ token, purpose: purposeOf(settings), byToken: authorise, now: Date.now });
  // Nobody asks before there is a port.
  let link = { url: "", port: 0 };
  const issueLink = (to?: string): string => {
    const query = new URLSearchParams({ key: visitors.issueKey(), ...(to === undefined ? {} : { to }) });
    return `${link.url}${openPath}?${query}`;
  };
  const endpoints = [
    mcpAt(mcpPath, mcp, authorise),
    apiAt("/api", withDoorRoutes(apiRoutes, issueLink), visitors.authorise, createPageContext(context)),
    healthAt(
      "/healthz",
      healthOf(platform, () => host.isClosing),
    ),
    metricsAt("/metrics", () => metrics.write(platform), authorise),
    openAt(openPath, visitors, (challenge) => proveToken(token, link.port, challenge)),
    pageAt(pageFiles, visitors.authorise),
  ];
  const opened = await listen(endpoints, { address, ports, allowedHosts, authorise, log });
  if (!opened.ok) {
    await mcp.close();
    return opened;
  }
  const { url, port, stopListening, close } = opened.value;
  link = { url: reachable(url), port };
  const stopTelling = handlers.onToolsChanged(() => mcp.announce.toolsChanged());
  // No link: logs are kept, and read by those who may not come in.
  log("info", "listening", { url: url + mcpPath, page: link.url, open_page_with: "frond ui", token_file: tokenFile });
  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      stopListening();
      stopTelling();
      teller.stop();
      resolve();
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
  return ok({ ended, close, url: link.url, issueLink });
}

/** Whoever was let in to look at a project must not act on it, and the page of one project has no business with another. */
function purposeOf({ roots, isReadOnly }: ServerSettings): string {
  return JSON.stringify({ roots: [...roots].sort(), isReadOnly });
}
