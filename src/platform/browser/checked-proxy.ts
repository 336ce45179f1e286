import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { privateRange } from "../../util/private-addresses.ts";
import { hostOf, readWebAddress } from "../../util/web-address.ts";
import { checkedLookup, checkLiteral, type JudgeAddress, systemResolve } from "../http/checked-lookup.ts";
import type { HttpOptions } from "../http/http.ts";
import { explainHttpFailure, HttpFailure } from "../http/http-failure.ts";

/** How a session goes out. */
export interface ProxyAccount {
  readonly username: string;
  readonly password: string;
}

export interface ProxyClient {
  readonly allowPrivate: boolean;
  /** `host` is a name or address with its port. */
  onProblem(host: string, problem: { readonly message: string; readonly isRefusal: boolean }): void;
}

/**
 * The only way out of the browser: whatever a page asks for comes by here as a name or an address, is looked up here, and is connected to
 * only where the address has passed. The browser looks up nothing itself, so a name that changes its address gains nothing.
 */
export interface CheckedProxy {
  readonly port: number;
  /** One client more, which has to name itself by the account. */
  admit(client: ProxyClient): ProxyAccount;
  close(): void;
}

export type ProxyOptions = Pick<HttpOptions, "resolve" | "judge">;

interface Known {
  readonly password: string;
  readonly client: ProxyClient;
}

export async function openCheckedProxy({
  resolve = systemResolve,
  judge = privateRange,
}: ProxyOptions): Promise<CheckedProxy> {
  const { createServer, request: startRequest } = process.getBuiltinModule("node:http");
  const { connect } = process.getBuiltinModule("node:net");
  const known = new Map<string, Known>();
  const sockets = new Set<Duplex>();
  const keep = (socket: Duplex): void => {
    sockets.add(socket);
    // One side that goes takes the other with it; why it went is of no interest.
    socket.on("error", () => {}).once("close", () => sockets.delete(socket));
  };
  const judgeFor = ({ allowPrivate }: ProxyClient): JudgeAddress => (allowPrivate ? () => undefined : judge);

  /** What goes through without a look into it: TLS, and sockets of pages. */
  function tunnel(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
    keep(socket);
    const client = identify(incoming, known);
    if (client === undefined) return void socket.end(`HTTP/1.1 407 Who are you\r\n${challenge}\r\n\r\n`);
    const host = incoming.url ?? "";
    const address = readHostAndPort(host);
    const give = (error: unknown): void => {
      report(client, host, error);
      socket.end("HTTP/1.1 502 No way\r\nConnection: close\r\n\r\n");
    };
    if (address === undefined) return give(new HttpFailure("refused", "is refused: it is not a host with a port"));
    const judgeHere = judgeFor(client);
    let outside: Socket;
    try {
      checkLiteral(address.host, judgeHere);
      outside = connect({ ...address, lookup: checkedLookup(resolve, judgeHere), autoSelectFamily: true });
    } catch (error) {
      return give(error);
    }
    keep(outside);
    outside.once("error", (error) => (outside.connecting || !hasOpened ? give(error) : socket.destroy()));
    let hasOpened = false;
    outside.once("connect", () => {
      hasOpened = true;
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      outside.write(head);
      outside.pipe(socket).pipe(outside);
    });
    outside.once("close", () => socket.destroy());
    socket.once("close", () => outside.destroy());
  }

  /** A request without TLS, whose address stands in its first line. */
  function forward(incoming: IncomingMessage, response: ServerResponse): void {
    const client = identify(incoming, known);
    if (client === undefined)
      return void response.writeHead(407, { "proxy-authenticate": 'Basic realm="frond"' }).end();
    const address = readWebAddress(incoming.url ?? "");
    const host = address.ok ? address.value.host : "";
    const give = (error: unknown): void => {
      report(client, host, error);
      response.destroy();
    };
    if (!address.ok || address.value.protocol !== "http:") return give(new HttpFailure("refused", "is refused"));
    const judgeHere = judgeFor(client);
    const url = address.value;
    try {
      checkLiteral(hostOf(url), judgeHere);
      const outgoing = startRequest({
        method: incoming.method,
        host: hostOf(url),
        port: url.port,
        path: `${url.pathname}${url.search}`,
        headers: { ...passedOn(incoming.rawHeaders), host: url.host },
        lookup: checkedLookup(resolve, judgeHere),
        agent: false,
      });
      outgoing.once("response", (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.statusMessage, passedOn(answer.rawHeaders));
        answer.once("error", () => response.destroy());
        answer.pipe(response);
      });
      outgoing.once("error", (error) => (response.headersSent ? response.destroy() : give(error)));
      response.once("close", () => outgoing.destroy());
      incoming.pipe(outgoing);
    } catch (error) {
      give(error);
    }
  }

  const server: Server = createServer(forward).on("connect", tunnel).on("connection", keep);
  await new Promise<void>((done, fail) => server.once("error", fail).listen(0, "127.0.0.1", done));
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    admit(client) {
      const account = { username: randomBytes(8).toString("hex"), password: randomBytes(32).toString("hex") };
      known.set(account.username, { password: account.password, client });
      return account;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const challenge = 'Proxy-Authenticate: Basic realm="frond"';

function identify({ headers }: IncomingMessage, known: ReadonlyMap<string, Known>): ProxyClient | undefined {
  const [, encoded = ""] = /^Basic (\S+)$/i.exec(headers["proxy-authorization"] ?? "") ?? [];
  const [username = "", password = ""] = Buffer.from(encoded, "base64").toString().split(":");
  const found = known.get(username);
  if (found === undefined) return undefined;
  const [given, right] = [Buffer.from(password), Buffer.from(found.password)];
  return given.length === right.length && timingSafeEqual(given, right) ? found.client : undefined;
}

function report(client: ProxyClient, host: string, error: unknown): void {
  const { kind, message } = explainHttpFailure(error, host);
  client.onProblem(host, { message, isRefusal: kind === "refused" });
}

function readHostAndPort(text: string): { readonly host: string; readonly port: number } | undefined {
  const [, inBrackets, name, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d+)$/.exec(text) ?? [];
  const host = inBrackets ?? name;
  return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) };
}

/** Of one connection only. */
const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

function passedOn(raw: readonly string[]): OutgoingHttpHeaders {
  const headers: Record<string, string[]> = Object.create(null);
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? "").toLowerCase();
    if (hopByHop.has(name)) continue;
    headers[name] = [...(headers[name] ?? []), raw[index + 1] ?? ""];
  }
  return headers;
}
