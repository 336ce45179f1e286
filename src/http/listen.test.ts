import { expect, onTestFinished, test } from "vitest";
import type { Endpoint } from "./endpoint.ts";
import { byToken } from "./guard.ts";
import { listen } from "./listen.ts";

const authorise = byToken("secret", "/state/http-token");

function endpoint(path: string, more: Partial<Endpoint> = {}): Endpoint {
  return {
    path,
    serves: path.slice(1).toUpperCase(),
    methods: ["GET"],
    authorise,
    fetch: async () => new Response(path),
    refuse: ({ status, message }) => new Response(message, { status }),
    ...more,
  };
}

const { authorise: _, ...open } = endpoint("/open", { methods: ["GET", "POST"] });

async function ask(path: string, init?: RequestInit): Promise<[number, string]> {
  const endpoints = [endpoint("/one"), open];
  const opened = await listen(endpoints, { address: "127.0.0.1", ports: [0], allowedHosts: [], authorise, log() {} });
  if (!opened.ok) throw new Error(opened.error.message);
  onTestFinished(() => opened.value.close());
  const response = await fetch(`${opened.value.url}${path}`, init);
  return [response.status, await response.text()];
}

const withToken = { headers: { authorization: "Bearer secret" } };

test("each endpoint answers under its path, and says itself who may come in", async () => {
  expect(await ask("/one", withToken)).toEqual([200, "/one"]);
  expect(await ask("/one?a=b", withToken)).toEqual([200, "/one"]);
  expect(await ask("/one")).toEqual([401, expect.stringContaining("This server wants a token")]);
  expect(await ask("/open")).toEqual([200, "/open"]);
});

test("each has methods of its own", async () => {
  expect(await ask("/one", { ...withToken, method: "POST" })).toEqual([405, expect.stringContaining("only GET.")]);
  expect((await ask("/open", { method: "POST" }))[0]).toBe(200);
});

test("where there is no endpoint, only those with the token are told so, and what there is", async () => {
  expect((await ask("/two"))[0]).toBe(401);
  expect(await ask("/two", withToken)).toEqual([
    404,
    expect.stringContaining("Nothing is served at this address. ONE is served at /one. OPEN is served at /open."),
  ]);
});

test("an endpoint that lets everybody in answers no pages of another origin", async () => {
  expect((await ask("/open", { headers: { origin: "http://elsewhere.example" } }))[0]).toBe(403);
});
