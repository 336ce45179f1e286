import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { serve } from "../../../test/rig/http-server.ts";
import { type CheckedProxy, openCheckedProxy, type ProxyAccount } from "./checked-proxy.ts";

async function open(): Promise<{
  readonly proxy: CheckedProxy;
  readonly problems: string[];
  admit(mayAll: boolean): ProxyAccount;
}> {
  const proxy = await openCheckedProxy({});
  onTestFinished(() => proxy.close());
  const problems: string[] = [];
  const admit = (allowPrivate: boolean): ProxyAccount =>
    proxy.admit({ allowPrivate, onProblem: (_host, { message }) => void problems.push(message) });
  return { proxy, problems, admit };
}

function headersFor({ username, password }: ProxyAccount): Record<string, string> {
  return { "proxy-authorization": `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}

/** The answer, or nothing where the connection is cut. */
async function ask(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage | undefined> {
  const asked = request({ port, path, headers, agent: false }).end();
  try {
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    return answer;
  } catch {
    return undefined;
  }
}

async function connect(port: number, path: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  const asked = request({ port, path, headers, method: "CONNECT", agent: false }).end();
  const [answer, socket] = (await once(asked, "connect")) as [IncomingMessage, { destroy(): void }];
  socket.destroy();
  return answer.statusCode;
}

test("who does not know a session's password gets nothing", async () => {
  const server = await serve((_request, response) => response.end("hello"));
  const { proxy, admit } = await open();
  const account = admit(true);
  const wrong = [
    {},
    headersFor({ ...account, password: "x" }),
    headersFor({ username: "x", password: account.password }),
  ];
  for (const headers of wrong) {
    expect((await ask(proxy.port, `${server.url}/`, headers))?.statusCode).toBe(407);
    expect(await connect(proxy.port, `127.0.0.1:${server.port}`, headers)).toBe(407);
  }
  expect(server.connections).toBe(0);
});

test("what a session may reach is handed on as it is, without its password", async () => {
  const server = await serve((_request, response) => {
    response.setHeader("set-cookie", ["a=1", "b=2"]).writeHead(201).end("hello");
  });
  const { proxy, admit } = await open();
  const headers = { ...headersFor(admit(true)), "x-own": "1" };
  const answer = await ask(proxy.port, `${server.url}/path?q=1`, headers);
  expect([answer?.statusCode, answer?.headers["set-cookie"]]).toEqual([201, ["a=1", "b=2"]]);
  expect(await text(answer as IncomingMessage)).toBe("hello");
  const [got] = server.requests;
  expect(got).toMatchObject({ url: "/path?q=1", headers: { host: `127.0.0.1:${server.port}`, "x-own": "1" } });
  expect(got?.headers).not.toHaveProperty("proxy-authorization");
  expect(await connect(proxy.port, `127.0.0.1:${server.port}`, headers)).toBe(200);
});

test("what it may not reach is not connected to, however it is written", async () => {
  const server = await serve((_request, response) => response.end("hello"));
  const { proxy, admit, problems } = await open();
  const headers = headersFor(admit(false));
  const { port } = server;
  for (const host of ["127.0.0.1", "localhost", "0.0.0.0", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]"]) {
    expect(await ask(proxy.port, `http://${host}:${port}/`, headers), host).toBeUndefined();
    expect(await connect(proxy.port, `${host}:${port}`, headers), host).toBe(502);
  }
  for (const path of ["/", "ftp://127.0.0.1/", "*"]) expect(await ask(proxy.port, path, headers)).toBeUndefined();
  for (const path of ["nowhere", "127.0.0.1:99999"]) expect(await connect(proxy.port, path, headers)).toBe(502);
  expect(server.connections).toBe(0);
  expect(problems.filter((message) => message.includes("is refused"))).toHaveLength(problems.length);
});
