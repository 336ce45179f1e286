import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, createServer as createRawServer, type Server as RawServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface TestServer {
  /** Without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** What has come in, with its whole body. */
  readonly requests: readonly ReceivedRequest[];
  /** Connections made so far. */
  readonly connections: number;
  /** Those of them that have not been closed. */
  readonly open: number;
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly host?: string;
  readonly port?: number;
  /** Speaks TLS with these. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A server on this machine, closed with the test. */
export async function serve(answer: RequestListener, options: ServeOptions = {}): Promise<TestServer> {
  const server = await openServer(answer, options);
  onTestFinished(() => server.close());
  return server;
}

/** The same for those who close it themselves. The answer begins when the whole request is there. */
export async function openServer(answer: RequestListener, options: ServeOptions = {}): Promise<TestServer> {
  const requests: ReceivedRequest[] = [];
  const listener: RequestListener = async (request: IncomingMessage, response) => {
    const { method = "", url = "", headers } = request;
    requests.push({ method, url, headers, body: await text(request) });
    answer(request, response);
  };
  const { tls } = options;
  const server: Server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener);
  const scheme = tls === undefined ? "http" : "https";
  return listen(server, scheme, options, requests, () => server.closeAllConnections());
}

export interface RawServeOptions {
  /** Whether it closes the connection afterwards. */
  readonly ends?: boolean;
  onSent?(): void;
}

/** A server that sends exactly these bytes to whoever sends anything, of which it reads no more than the beginning. */
export async function serveBytes(bytes: string, { ends = true, onSent }: RawServeOptions = {}): Promise<TestServer> {
  const sockets = new Set<Socket>();
  const server = createRawServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.pause();
      if (ends) socket.end(bytes, "latin1", onSent);
      else socket.write(bytes, "latin1", onSent);
    });
  });
  const raw = await listen(server, "http", {}, [], () => {
    for (const socket of sockets) socket.destroy();
  });
  onTestFinished(() => raw.close());
  return raw;
}

async function listen(
  server: Server | RawServer,
  scheme: string,
  { host = "127.0.0.1", port = 0 }: ServeOptions,
  requests: readonly ReceivedRequest[],
  closeConnections: () => void,
): Promise<TestServer> {
  let connections = 0;
  let open = 0;
  server.on("connection", (socket: Socket) => {
    connections++;
    open++;
    socket.on("close", () => open--);
  });
  server.listen(port, host);
  await once(server, "listening");
  const { port: chosen } = server.address() as AddressInfo;
  return {
    url: `${scheme}://${host.includes(":") ? `[${host}]` : host}:${chosen}`,
    port: chosen,
    requests,
    get connections() {
      return connections;
    },
    get open() {
      return open;
    },
    async close() {
      const closed = once(server, "close");
      server.close();
      closeConnections();
      await closed;
    },
  };
}
