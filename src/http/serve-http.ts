import { createHmac } from "node:crypto";
import type { Server } from "@modelcontextprotocol/server";
import { type Problem, problem } from "../diagnostic/problem.ts";
import type { Era } from "../mcp/client.ts";
import type { Handlers } from "../mcp/handlers.ts";
import { createRunTeller } from "../mcp/run-teller.ts";
import type { Connection } from "../mcp/serve.ts";
import type { ServerContext } from "../mcp/server-context.ts";
import type { HttpSettings } from "../runs/server-settings.ts";
import { err, ok, type Result } from "../util/result.ts";
import { isLoopback } from "./allowed-hosts.ts";
import { apiRoutes } from "./api/index.ts";
import { apiAt } from "./api-endpoint.ts";
import { byToken } from "./guard.ts";
import { listen } from "./listen.ts";
import { createMcpEndpoint, mcpAt } from "./mcp-endpoint.ts";
import { obtainToken, type Tokens } from "./obtain-token.ts";
import { openAt, type PageFiles, pageAt } from "./page-endpoint.ts";
import { createVisitors } from "./visitors.ts";

/** What an HTTP server is served with, once it is sure that it may be. */
export interface Admission {
  /** The address that the host stands for. */
  readonly address: string;
  readonly token: string;
  readonly tokenFile: string;
}

/** Decides whether to serve at all: other machines only with a token that is there already. */
export async function admit({ host }: HttpSettings, tokens: Tokens): Promise<Result<Admission, Problem>> {
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

/** What there is to serve. */
export interface Served {
  readonly context: ServerContext;
  readonly handlers: Handlers;
  /** Makes a server object of the SDK for one request, or one session. */
  create(era: Era): Server;
  readonly pageFiles: PageFiles;
}

/** Serves clients of both eras, any number at a time, until the signal comes. */
export async function serveHttp(
  { context, handlers, create, pageFiles }: Served,
  admission: Admission,
  { port, allowedHosts }: HttpSettings,
  signal: AbortSignal,
): Promise<Result<Connection, Problem>> {
  const { log } = context;
  const teller = createRunTeller(context, (uri) => mcp.announce.resourceUpdated(uri));
  // Mostly what a client did wrong, and has been told.
  const report = (error: Error): void => log("debug", error.message);
  const mcp = createMcpEndpoint({ create, hear: (message) => teller.hear(message) }, report);
  const authorise = byToken(admission.token, admission.tokenFile);
  const visitors = createVisitors(admission.token, context.settings.roots.join("\n"), authorise);
  const endpoints = [
    mcpAt(mcpPath, mcp, authorise),
    apiAt("/api", apiRoutes, visitors.authorise, context),
    openAt("/open", visitors),
    pageAt(pageFiles, visitors.authorise),
  ];
  const opened = await listen(endpoints, { address: admission.address, port, allowedHosts, authorise, log });
  if (!opened.ok) {
    await mcp.close();
    return opened;
  }
  const { url, stopListening, close } = opened.value;
  const stopTelling = handlers.onToolsChanged(() => mcp.announce.toolsChanged());
  const page = `${url}/open?key=${visitors.issueKey()}`;
  log("info", "listening", { url: url + mcpPath, page, token_file: admission.tokenFile });
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
  return ok({ ended, close });
}
