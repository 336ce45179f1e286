import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** What becomes of the next statement that writes: its connection is lost before it, after its answer, or it comes when nobody waits for it any more. */
export type Loss = "question lost" | "answer lost" | "question late";

/** Stands between a journal and its server, and loses connections where it is told to. */
export interface LossyProxy {
  /** The address of the database through the proxy. */
  readonly url: string;
  loseNext(loss: Loss): void;
  /** How many have been lost. */
  readonly lost: number;
  /** Lets a question that has been held back come to the server; resolves when that has answered. */
  deliverLate(): Promise<void>;
}

/** As the protocol has it: Bind of the prepared statement `write`. */
const writing = Buffer.from("\0write\0");

export async function startLossyProxy(url: string): Promise<LossyProxy> {
  const address = new URL(url);
  const target = { host: address.hostname, port: Number(address.port) };
  const sockets = new Set<Socket>();
  let next: Loss | undefined;
  let lost = 0;
  let late: { readonly upstream: Socket; readonly question: Buffer } | undefined;
  const server = createServer((client) => {
    const upstream = connect(target);
    let losesAnswer = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    client.on("data", (question: Buffer) => {
      if (next === undefined || !question.includes(writing)) return upstream.write(question);
      const loss = next;
      next = undefined;
      lost++;
      if (loss === "answer lost") {
        losesAnswer = true;
        return upstream.write(question);
      }
      if (loss === "question late") late = { upstream, question };
      else upstream.destroy();
      return client.destroy();
    });
    upstream.on("data", (answer: Buffer) => {
      if (!losesAnswer) return client.write(answer);
      upstream.destroy();
      return client.destroy();
    });
    client.on("close", () => late?.upstream !== upstream && upstream.destroy());
    upstream.on("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const own = server.address();
  if (own === null || typeof own === "string") throw new Error("The proxy has no port.");
  address.port = String(own.port);
  return {
    url: address.href,
    loseNext: (loss) => {
      next = loss;
    },
    get lost() {
      return lost;
    },
    async deliverLate() {
      if (late === undefined) throw new Error("Nothing is late.");
      const { upstream, question } = late;
      const answered = once(upstream, "data");
      upstream.write(question);
      await answered;
      late = undefined;
      upstream.destroy();
    },
  };
}
