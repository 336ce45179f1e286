import { expect, onTestFinished, test } from "vitest";
import { serve } from "../rig/http-server.ts";
import { answerOf, problemOf } from "./http-request.ts";

const spellings = [
  "127.0.0.1",
  "127.1",
  "0x7f.1",
  "0x7f000001",
  "2130706433",
  "017700000001",
  "127.0.0.1.",
  "①②⑦.0.0.1",
  "0.0.0.0",
  "0",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[0:0:0:0:0:ffff:7f00:0001]",
  "[64:ff9b::127.0.0.1]",
  "localhost",
];
test.each(spellings)("this machine is refused as %s, and nothing is connected to", async (host) => {
  const server = await serve((_request, response) => response.end("private"));
  const problem = await problemOf(`http://${host}:${server.port}/`, { allowPrivate: false });
  expect(problem).toMatchObject({ kind: "refused" });
  expect(problem.message).toMatch(/is refused: .*address.*`allow_private: true` allows it/);
  expect(server.connections).toBe(0);
});

test("this machine is reached by those who may, also by an IPv6 address", async () => {
  const server = await serve((_request, response) => response.end("v6"), { host: "::1" });
  expect(await answerOf(server.url)).toMatchObject({ text: "v6" });
  expect(server.requests[0]?.headers.host).toBe(`[::1]:${server.port}`);
});

/** Takes 127.0.0.2 for public, since nothing public can be reached in a test. */
function judge(address: string): string | undefined {
  return address === "127.0.0.2" ? undefined : "an address of this machine";
}
const family = 4;

/** What is public and what is private, on the same port. */
/** Two addresses, one port; another process may have that port of the second address, so it is tried with others. */
async function twoServers(publicAnswer: Parameters<typeof serve>[0]) {
  for (;;) {
    const outside = await serve(publicAnswer, { host: "127.0.0.2" });
    try {
      return { outside, inside: await serve((_, response) => response.end("private"), { port: outside.port }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
  }
}

test("a name is looked up once, and the connection goes to the address that was checked", async () => {
  const { outside, inside } = await twoServers((_request, response) => response.end("public"));
  const lookups: string[] = [];
  const resolve = async (name: string) => {
    lookups.push(name);
    return [{ address: lookups.length === 1 ? "127.0.0.2" : "127.0.0.1", family }];
  };
  const url = `http://rebinding.test:${outside.port}/`;
  const rules = { allowPrivate: false };
  expect(await answerOf(url, rules, { resolve, judge })).toMatchObject({ text: "public" });
  expect(lookups).toEqual(["rebinding.test"]);
  expect(await problemOf(url, rules, { resolve, judge })).toEqual({
    kind: "refused",
    message: `${url} is refused: 'rebinding.test' is 127.0.0.1, an address of this machine. \`allow_private: true\` allows it.`,
  });
  expect([outside.connections, inside.connections]).toEqual([1, 0]);
});

test("a name that changes its address between redirects is checked again", async () => {
  const { outside, inside } = await twoServers((_request, response) => {
    response.writeHead(302, { Location: "/again" }).end();
  });
  let lookups = 0;
  const resolve = async () => [{ address: lookups++ === 0 ? "127.0.0.2" : "127.0.0.1", family }];
  const url = `http://rebinding.test:${outside.port}/`;
  expect(await problemOf(url, { allowPrivate: false }, { resolve, judge })).toMatchObject({ kind: "refused" });
  expect([outside.connections, inside.connections]).toEqual([1, 0]);
});

test("of several addresses of a name only those are tried that pass, even when they fail", async () => {
  const { outside, inside } = await twoServers((_request, response) => response.end("public"));
  const rules = { allowPrivate: false };
  const both = async () => ["127.0.0.1", "127.0.0.2"].map((address) => ({ address, family }));
  const url = `http://both.test:${outside.port}/`;
  expect(await answerOf(url, rules, { resolve: both, judge })).toMatchObject({ text: "public" });
  await outside.close();
  expect(await problemOf(url, rules, { resolve: both, judge })).toMatchObject({ kind: "unreachable" });
  expect(inside.connections).toBe(0);
});

test.each(["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433"])(
  "a public address can't redirect to %s",
  async (host) => {
    const { outside, inside } = await twoServers(({ socket }, response) => {
      response.writeHead(302, { Location: `http://${host}:${socket.localPort}/secret` }).end();
    });
    const resolve = async (name: string) => [{ address: name === "public.test" ? "127.0.0.2" : "127.0.0.1", family }];
    const url = `http://public.test:${outside.port}/start`;
    const problem = await problemOf(url, { allowPrivate: false }, { resolve, judge });
    expect(problem.kind).toBe("refused");
    expect(problem.message).toContain(`/secret (where ${url} redirects) is refused`);
    expect([outside.connections, inside.connections]).toEqual([1, 0]);
  },
);

test("a name without an address, or without existence, is unreachable", async () => {
  expect(await problemOf("http://empty.test/", {}, { resolve: async () => [] })).toEqual({
    kind: "unreachable",
    message: "http://empty.test/ can't be reached: its name has no address",
  });
  const resolve = async () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" }));
  expect(await problemOf("http://nowhere.test/", {}, { resolve })).toEqual({
    kind: "unreachable",
    message: "http://nowhere.test/ can't be reached: there is no host of this name",
  });
});

test.each([
  ["ftp://127.0.0.1/", /only http/],
  ["file:///etc/passwd", /only http/],
  ["javascript:alert(1)", /only http/],
  ["/path", /not an address/],
  ["http://", /not an address/],
  ["http://user:geheim@127.0.0.1/", /user name or password/],
])("%s is refused, and a password is not shown", async (url, why) => {
  const problem = await problemOf(url);
  expect(problem).toMatchObject({ kind: "refused", message: expect.stringMatching(why) });
  expect(problem.message).not.toContain("geheim");
});

test("a proxy named in the environment is not asked", async () => {
  const proxy = await serve((_request, response) => response.end("proxy"));
  const { url } = await serve((_request, response) => response.end("direct"));
  const before = { ...process.env };
  onTestFinished(() => {
    process.env = before;
  });
  process.env = { ...before, http_proxy: proxy.url, HTTP_PROXY: proxy.url, ALL_PROXY: proxy.url };
  expect(await answerOf(url)).toMatchObject({ text: "direct" });
  expect(proxy.connections).toBe(0);
});
