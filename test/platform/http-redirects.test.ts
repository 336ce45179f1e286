import { expect, test } from "vitest";
import { serve, type TestServer } from "../rig/http-server.ts";
import { selfSigned } from "../rig/self-signed.ts";
import { waitFor } from "../rig/wait-for.ts";
import { answerOf, problemOf } from "./http-request.ts";

const cases = [
  { status: 301, method: "POST", becomes: "GET" },
  { status: 302, method: "POST", becomes: "GET" },
  { status: 303, method: "POST", becomes: "GET" },
  { status: 303, method: "PUT", becomes: "GET" },
  { status: 303, method: "HEAD", becomes: "HEAD" },
  { status: 301, method: "PUT", becomes: "PUT" },
  { status: 302, method: "DELETE", becomes: "DELETE" },
  { status: 307, method: "POST", becomes: "POST" },
  { status: 308, method: "PATCH", becomes: "PATCH" },
];
test.each(cases)("after $status a $method goes on as $becomes", async ({ status, method, becomes }) => {
  const { url, requests } = await serve((incoming, response) => {
    if (incoming.url === "/") response.writeHead(status, { Location: "/there?x=1" });
    response.end("there");
  });
  const headers = { "content-type": "text/plain", "idempotency-key": "k", authorization: "mine" };
  const body = method === "HEAD" ? {} : { body: Buffer.from("content") };
  expect(await answerOf(url, { method, headers, ...body })).toMatchObject({ url: `${url}/there?x=1`, redirects: 1 });
  const [, second] = requests;
  expect(second).toMatchObject({ method: becomes, url: "/there?x=1", headers: { authorization: "mine" } });
  const keepsBody = method === becomes && method !== "HEAD";
  expect(second?.body).toBe(keepsBody ? "content" : "");
  expect(second?.headers["content-length"]).toBe(keepsBody ? "7" : undefined);
  expect(second?.headers["content-type"]).toBe(method === becomes ? "text/plain" : undefined);
  expect(second?.headers["idempotency-key"]).toBe(method === becomes ? "k" : undefined);
});

const harmless = { accept: "text/plain", "user-agent": "ua", "if-match": "x", prefer: "y", "idempotency-key": "k" };
const credentials = {
  authorization: "Bearer x",
  cookie: "a=b",
  "proxy-authorization": "x",
  "x-api-key": "x",
  "private-token": "x",
  "x-anything": "x",
  host: "virtual.test",
};

/** A server that sends visitors to another one, which sends them back. */
async function serveCircle(status: number): Promise<{ readonly first: TestServer; readonly other: TestServer }> {
  const other = await serve((_request, response) => response.writeHead(307, { Location: `${first.url}/back` }).end());
  const first = await serve((incoming, response) => {
    if (incoming.url === "/") response.writeHead(status, { Location: `${other.url}/there` });
    response.end();
  });
  return { first, other };
}

test("to another origin nothing is taken that could be a credential, not even back again", async () => {
  const { first, other } = await serveCircle(307);
  await answerOf(first.url, { method: "POST", headers: { ...harmless, ...credentials } });
  expect(first.requests[0]?.headers).toMatchObject({ ...harmless, ...credentials });
  for (const [server, { headers } = { headers: {} }] of [
    [other, other.requests[0]],
    [first, first.requests[1]],
  ] as const) {
    expect(headers).toMatchObject({ ...harmless, host: server.url.slice("http://".length) });
    for (const name of [...Object.keys(credentials), "referer"])
      if (name !== "host") expect(headers).not.toHaveProperty(name);
  }
});

test("a header that holds a secret stays at its origin, whatever its name is", async () => {
  const { first, other } = await serveCircle(302);
  const { accept: _, ...secret } = harmless;
  const secretHeaders = new Set(Object.keys(secret));
  await answerOf(first.url, { headers: harmless, secretHeaders });
  expect(first.requests[0]?.headers).toMatchObject(harmless);
  for (const { headers } of [...other.requests, ...first.requests.slice(1)]) {
    expect(headers).toMatchObject({ accept: "text/plain", "user-agent": "frond" });
    for (const name of ["if-match", "prefer", "idempotency-key"]) expect(headers).not.toHaveProperty(name);
  }
});

test("a header that holds a secret is taken along within its origin", async () => {
  const { url, requests } = await serve((incoming, response) => {
    if (incoming.url === "/") response.writeHead(307, { Location: "/there" });
    response.end();
  });
  await answerOf(url, { headers: harmless, secretHeaders: new Set(Object.keys(harmless)) });
  expect(requests[1]?.headers).toMatchObject(harmless);
});

test.each([
  { status: 307, method: "POST" },
  { status: 308, method: "PATCH" },
  { status: 301, method: "PUT" },
  { status: 302, method: "PUT" },
  { status: 302, method: "DELETE" },
])("a body of $method is not taken to another origin by $status, and the refusal names it", async (how) => {
  const { first, other } = await serveCircle(how.status);
  const problem = await problemOf(first.url, { method: how.method, body: Buffer.from("body") });
  expect(problem.kind).toBe("refused");
  expect(problem.message).toContain(`${first.url}/ redirects to another origin, ${other.url}, and a body`);
  expect(problem.message).toContain("`follow_redirects: false`");
  expect(other.connections).toBe(0);
});

test.each([301, 302, 303])("a POST that %d turns into a GET leaves its body behind, and goes on", async (status) => {
  const { first, other } = await serveCircle(status);
  await answerOf(first.url, { method: "POST", headers: { "content-type": "text/csv" }, body: Buffer.from("body") });
  expect(other.requests[0]).toMatchObject({ method: "GET", body: "" });
  expect(other.requests[0]?.headers).not.toHaveProperty("content-type");
});

test("a body is not taken from https to http of the same host", async () => {
  const plain = await serve((_request, response) => response.end("plain"));
  const secure = await serve((_request, response) => response.writeHead(307, { Location: plain.url }).end(), {
    tls: selfSigned,
  });
  const more = { method: "POST", body: Buffer.from("body") };
  expect(await problemOf(secure.url, more, { authorities: [selfSigned.cert] })).toMatchObject({ kind: "refused" });
  expect(plain.connections).toBe(0);
});

test("from https to http of the same host is another origin", async () => {
  const plain = await serve((_request, response) => response.end("plain"));
  const secure = await serve((_request, response) => response.writeHead(302, { Location: plain.url }).end(), {
    tls: selfSigned,
  });
  const headers = { authorization: "Bearer x" };
  expect(await answerOf(secure.url, { headers }, { authorities: [selfSigned.cert] })).toMatchObject({
    text: "plain",
  });
  expect(secure.requests[0]?.headers.authorization).toBe("Bearer x");
  expect(plain.requests[0]?.headers).not.toHaveProperty("authorization");
});

test("a circle ends after 10, and 10 are followed", async () => {
  const { url, requests } = await serve((incoming, response) => {
    const left = Number(incoming.url?.slice(1));
    if (left > 0) response.writeHead(302, { Location: `/${left - 1}` });
    response.end("end");
  });
  expect(await answerOf(`${url}/10`)).toMatchObject({ status: 200, redirects: 10 });
  const problem = await problemOf(`${url}/11`);
  expect(problem.kind).toBe("bad-response");
  expect(problem.message).toBe(
    `${url}/1 (where ${url}/11 redirects) redirects after 10 redirects, perhaps in a circle`,
  );
  expect(requests).toHaveLength(11 + 11);
});

test.each(["ftp://example.com/", "http://user:geheim@example.com/", "http://["])(
  "a redirect to %s is refused",
  async (target) => {
    const { url } = await serve((_request, response) => response.writeHead(302, { Location: target }).end());
    const problem = await problemOf(url);
    expect(problem).toMatchObject({ kind: "refused" });
    expect(problem.message).not.toContain("geheim");
  },
);

test("redirects are answers when they are not to be followed, or lead nowhere", async () => {
  const { url, requests } = await serve((incoming, response) => {
    response.writeHead(302, incoming.url === "/" ? { Location: "/there" } : {}).end("moved");
  });
  expect(await answerOf(url, { followRedirects: false })).toMatchObject({
    status: 302,
    text: "moved",
    headers: { location: "/there" },
  });
  expect(await answerOf(`${url}/nowhere`)).toMatchObject({ status: 302, text: "moved" });
  expect(requests).toHaveLength(2);
});

test("the body of a redirect is not waited for, and its connection is closed", async () => {
  const server = await serve((incoming, response) => {
    if (incoming.url === "/there") return response.end("there");
    response.writeHead(302, { Location: "/there" }).write("endless");
  });
  expect(await answerOf(server.url)).toMatchObject({ text: "there" });
  await waitFor("the connections to be closed", () => server.open === 0);
});
