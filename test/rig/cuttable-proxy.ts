import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Stands between a process and its database, as the network does. */
export interface CuttableProxy {
  /** The address of the database through the proxy. */
  readonly url: string;
  /** Ends all connections, and lets no new one through. */
  cut(): void;
  mend(): void;
}

export async function startCuttableProxy(url: string): Promise<CuttableProxy> {
  const address = new URL(url);
  const target = { host: address.hostname, port: Number(address.port) };
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    const upstream = connect(target);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  const end = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    end();
    server.close();
  });
  const own = server.address();
  if (own === null || typeof own === "string") throw new Error("The proxy has no port.");
  address.port = String(own.port);
  return {
    url: address.href,
    cut() {
      isCut = true;
      end();
    },
    mend() {
      isCut = false;
    },
  };
}
