import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { openServer, serve, serveBytes } from "../rig/http-server.ts";
import { selfSigned } from "../rig/self-signed.ts";
import { waitFor } from "../rig/wait-for.ts";
import { answerOf, maxBytes, problemOf } from "./http-request.ts";

test("gives status, headers with lower-case names, body and address", async () => {
  const { url, requests } = await serve((_request, response) => {
    response.writeHead(201, { "X-Mixed-Case": "a", "Set-Cookie": ["a=1", "b=2"], Vary: ["x", "y"] }).end("made");
  });
  const answer = await answerOf(`${url}/path?q=1`, { headers: { "x-own": "mine" } });
  expect(answer).toMatchObject({ status: 201, text: "made", url: `${url}/path?q=1`, redirects: 0 });
  expect(answer.headers).toMatchObject({ "x-mixed-case": "a", "set-cookie": ["a=1", "b=2"], vary: "x, y" });
  expect(requests).toMatchObject([
    { method: "GET", url: "/path?q=1", body: "", headers: { "x-own": "mine", "accept-encoding": "gzip, deflate, br" } },
  ]);
});

test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "GET"])("%s sends its body with a length", async (method) => {
  const { url, requests } = await serve((_request, response) => response.end());
  await answerOf(url, { method, body: Buffer.from("größer") });
  expect(requests).toMatchObject([{ method, body: "größer", headers: { "content-length": "8" } }]);
});

test("HEAD, 204 and 304 have no body, whatever their headers say", async () => {
  const { url } = await serve(({ url: path }, response) => {
    const headers = { "Content-Encoding": "gzip", "Content-Length": path === "/" ? String(maxBytes * 2) : "0" };
    response.writeHead(Number(path?.slice(1)) || 200, headers).end();
  });
  expect(await answerOf(url, { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
  expect(await answerOf(`${url}/204`)).toMatchObject({ status: 204, text: "" });
  expect(await answerOf(`${url}/304`)).toMatchObject({ status: 304, text: "" });
  expect(await answerOf(`${url}/200`)).toMatchObject({ status: 200, text: "" });
});

describe("what goes wrong", () => {
  test("a connection that is refused", async () => {
    const server = await openServer(() => {});
    await server.close();
    expect(await problemOf(`${server.url}/a?token=geheim`)).toEqual({
      kind: "unreachable",
      message: `${server.url}/a can't be reached: the connection was refused`,
    });
  });

  test.each([
    { bytes: "", kind: "unreachable", why: /closed before there was an answer/ },
    { bytes: "SSH-2.0-OpenSSH\r\n", kind: "bad-response", why: /does not answer in valid HTTP/ },
    { bytes: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", kind: "bad-response", why: /broke off/ },
    { bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", kind: "bad-response", why: /broke off/ },
    {
      bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n0\r\n\r\n",
      kind: "bad-response",
      why: /valid HTTP: .*chunk/i,
    },
    {
      bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
      kind: "bad-response",
      why: /valid HTTP/,
    },
    { bytes: "HTTP/1.1 200 OK\r\nBad Header: x\r\n\r\n", kind: "bad-response", why: /valid HTTP/ },
    {
      bytes: "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
      kind: "bad-response",
      why: /without an answer in HTTP/,
    },
  ])("a server that sends $bytes is $kind", async ({ bytes, kind, why }) => {
    const { url } = await serveBytes(bytes);
    expect(await problemOf(url)).toMatchObject({ kind, message: expect.stringMatching(why) });
  });

  test("a certificate that nobody trusts, whatever the environment says", async () => {
    const { url, requests } = await serve((_request, response) => response.end(), { tls: selfSigned });
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    onTestFinished(() => {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    });
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    expect(await problemOf(url)).toEqual({
      kind: "unreachable",
      message: `${url}/ can't be reached: its certificate is signed by itself, not by an authority that is trusted`,
    });
    expect(requests).toEqual([]);
  });

  test("a certificate for another name, also when the Host header asks for the right one", async () => {
    const { port } = await serve((_request, response) => response.end("secret"), { tls: selfSigned });
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    const options = { resolve, authorities: [selfSigned.cert] };
    expect(await answerOf(`https://secure.test:${port}/`, {}, options)).toMatchObject({ text: "secret" });
    const problem = await problemOf(`https://other.test:${port}/`, { headers: { host: "secure.test" } }, options);
    expect(problem).toMatchObject({ kind: "unreachable", message: expect.stringMatching(/other\.test/) });
  });

  test("https spoken to a server without TLS", async () => {
    const { port } = await serve((_request, response) => response.end());
    expect(await problemOf(`https://127.0.0.1:${port}/`)).toEqual({
      kind: "unreachable",
      message: `https://127.0.0.1:${port}/ can't be reached: it does not speak TLS; is it an http:// address?`,
    });
  });
});

describe("abort", () => {
  const compressed = gzipSync("x".repeat(9999)).toString("latin1");
  test.each([
    { what: "headers", bytes: "" },
    { what: "the rest of headers", bytes: "HTTP/1.1 200 OK\r\nX-A: b" },
    { what: "the rest of a body", bytes: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegins" },
    {
      what: "the rest of a compressed body",
      bytes: `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n${compressed.slice(0, 15)}`,
    },
  ])("ends the wait for $what at once, and the connection", async ({ bytes }) => {
    const controller = new AbortController();
    // What was sent needs a few turns of the loop to be read.
    const onSent = () => void turns(10).then(() => controller.abort());
    const server = await serveBytes(bytes, { ends: false, onSent });
    const problem = await problemOf(server.url, { signal: controller.signal });
    expect(problem).toEqual({ kind: "aborted", message: "aborted" });
    await waitFor("the connection to be closed", () => server.open === 0);
  });

  async function turns(count: number): Promise<void> {
    for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  test("ends a lookup that never ends", async () => {
    const controller = new AbortController();
    const resolve = () => {
      setImmediate(() => controller.abort());
      return new Promise<never>(() => {});
    };
    const problem = await problemOf("http://slow.test/", { signal: controller.signal }, { resolve });
    expect(problem.kind).toBe("aborted");
  });

  test("that came before keeps it from connecting", async () => {
    const server = await serve((_request, response) => response.end());
    expect(await problemOf(server.url, { signal: AbortSignal.abort() })).toMatchObject({ kind: "aborted" });
    expect(server.connections).toBe(0);
  });
});

test("an answer is taken that comes while the request is still being sent", async () => {
  const { url } = await serveBytes("HTTP/1.1 413 Too Large\r\nContent-Length: 5\r\n\r\nlarge", { ends: false });
  expect(await answerOf(url, { method: "POST", body: Buffer.alloc(20_000_000) })).toMatchObject({
    status: 413,
    text: "large",
  });
});

test("no connection is kept", async () => {
  const server = await serve((_request, response) => response.end("x"));
  await answerOf(server.url);
  await answerOf(server.url);
  expect(server.connections).toBe(2);
  expect(server.requests[0]?.headers.connection).toBe("close");
});
