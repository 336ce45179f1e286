import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Problem, problem } from "../diagnostic/problem.ts";
import type { Log } from "../util/log.ts";
import { err, ok, type Result } from "../util/result.ts";
import { settledWithin } from "../util/wait-within.ts";
import { answerRequest } from "./answer-request.ts";
import { Connections } from "./connections.ts";
import type { Authorise, Endpoint, Refusal } from "./endpoint.ts";
import { createGuard } from "./guard.ts";
import { readBody } from "./read-body.ts";
import { rpcError } from "./rpc-error.ts";
import { dataSecurity } from "./security.ts";

/** As much as a line on standard input may have. */
const mostBodyBytes = 10_000_000;
/** For what a client sends. How long it waits for the answer is its own affair. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 10_000,
  maxHeaderSize: 16_384,
};
/** For answers that are on their way when everything ends, and then for the ends of streams. */
const lastAnswersMs = 400;
const lastEndsMs = 100;

export interface ListenOptions {
  readonly address: string;
  /** The first of them that is free is taken. */
  readonly ports: readonly number[];
  readonly allowedHosts: readonly string[];
  /** Of whom asks for what is not there. */
  readonly authorise: Authorise;
  readonly log: Log;
}

/** A server that clients can reach. */
export interface ListeningServer {
  /** Without a path. */
  readonly url: string;
  readonly port: number;
  /** Lets nobody new in; those who wait are still answered. */
  stopListening(): void;
  close(): Promise<void>;
}

export async function listen(
  endpoints: readonly Endpoint[],
  options: ListenOptions,
): Promise<Result<ListeningServer, Problem>> {
  const open = new Map<ServerResponse, AbortController>();
  // Not imported: nobody on standard input and output should wait for loading it.
  const { createServer } = process.getBuiltinModule("node:http");
  const connections = new Connections();
  const server = createServer(limits, createListener(endpoints, options, open, connections));
  server.on("connection", (socket) => connections.add(socket));
  const failure = await bind(server, options);
  if (failure !== undefined) return err(failure);
  const { port } = server.address() as AddressInfo;
  const host = options.address.includes(":") ? `[${options.address}]` : options.address;
  const ended = new Promise<void>((resolve) => server.once("close", () => resolve()));
  const stopListening = (): void => {
    server.close();
    server.closeIdleConnections();
  };
  return ok({
    url: `http://${host}:${port}`,
    port,
    stopListening,
    async close() {
      stopListening();
      await closed(
        [...open.keys()].filter(({ req }) => req.method === "POST"),
        lastAnswersMs,
      );
      await Promise.all(endpoints.map((endpoint) => endpoint.close?.()));
      // Streams that are listened to end now; whoever reads them sees an end, and no broken connection.
      for (const over of open.values()) over.abort();
      await closed([...open.keys()], lastEndsMs);
      server.closeAllConnections();
      await ended;
    },
  });
}

function createListener(
  endpoints: readonly Endpoint[],
  options: ListenOptions,
  open: Map<ServerResponse, AbortController>,
  connections: Connections,
): (request: IncomingMessage, response: ServerResponse) => void {
  const guard = createGuard(endpoints, options.authorise, options.allowedHosts);
  return (request, response) => {
    for (const [name, value] of Object.entries(dataSecurity)) response.setHeader(name, value);
    const { endpoint, refusal } = guard(request);
    if (endpoint === undefined || refusal !== undefined) return refuse(refusal ?? failed, endpoint, request, response);
    // Where everybody may come in, nobody has shown anything.
    if (endpoint.authorise !== undefined) connections.admit(request.socket);
    const release = endpoint.hold?.(request);
    const over = new AbortController();
    open.set(response, over);
    response.once("close", () => {
      open.delete(response);
      over.abort();
      release?.();
    });
    readBody(request, mostBodyBytes)
      .then((body) => {
        if (body === "too large") return refuse(tooLarge, endpoint, request, response);
        if (body === "broken off") return undefined;
        return answerRequest(request, body, response, (asked) => endpoint.fetch(asked, over.signal));
      })
      .catch((error: unknown) => {
        options.log("error", error instanceof Error ? (error.stack ?? error.message) : String(error));
        if (response.headersSent) response.destroy();
        else refuse(failed, endpoint, request, response);
      });
  };
}

const tooLarge: Refusal = {
  status: 413,
  code: "too-large",
  message: `A message has at most ${mostBodyBytes} bytes.`,
};
const failed: Refusal = {
  status: 500,
  code: "internal-error",
  message: "Frond itself failed; its log says how. Please report it.",
};

/** What is still being sent is thrown away. */
function refuse(
  refusal: Refusal,
  endpoint: Endpoint | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  request.resume();
  const answer = endpoint?.refuse(refusal) ?? rpcError(refusal.status, refusal.message);
  void answer.text().then((body) => {
    response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), ...refusal.headers });
    response.end(body);
  });
}

/** Why none of the ports can be listened on. */
async function bind(server: Server, { address, ports }: ListenOptions): Promise<Problem | undefined> {
  let failure: Problem | undefined;
  for (const port of ports) {
    failure = await bindTo(server, address, port);
    if (failure?.code !== "port-taken") return failure;
  }
  if (ports.length < 2) return failure;
  const range = `${ports[0]} to ${ports.at(-1)}`;
  return problem("port-taken", `The ports ${range} of ${address} are all in use.`, "Choose another with --port PORT.");
}

function bindTo(server: Server, address: string, port: number): Promise<Problem | undefined> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException): void => resolve(explainBind(error, address, port));
    server.once("error", fail);
    server.listen({ host: address, port, exclusive: true }, () => {
      server.off("error", fail);
      resolve(undefined);
    });
  });
}

function explainBind(error: NodeJS.ErrnoException, address: string, port: number): Problem {
  switch (error.code) {
    case "EADDRINUSE":
      return problem(
        "port-taken",
        `Port ${port} of ${address} is in use.`,
        "Choose another: `frond serve --http PORT`, or `frond ui --port PORT`.",
      );
    case "EACCES":
      return problem("port-forbidden", `You lack permission to use port ${port}.`, "Choose one above 1023.");
    case "EADDRNOTAVAIL":
      return problem("bad-host", `${address} is no address of this machine.`, "Give --host one of its addresses.");
    default:
      return problem("no-port", `${address} can't be listened on: ${error.message}.`);
  }
}

/** Until all of them are sent, or it has taken too long. */
function closed(responses: readonly ServerResponse[], longestMs: number): Promise<void> {
  const all = responses.map((response) => new Promise<void>((resolve) => response.once("close", () => resolve())));
  return settledWithin(Promise.all(all), longestMs);
}
