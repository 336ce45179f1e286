import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { answerRequest } from "../../src/http/answer-request.ts";
import { waitFor } from "../rig/wait-for.ts";

/** The URL of a server that answers everything so. */
async function serve(answer: (request: Request) => Promise<Response>): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    await answerRequest(request, Buffer.concat(chunks), response, answer).catch(() => response.destroy());
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a request arrives with its method, address, headers and body, and its answer with status, headers and body", async () => {
  const url = await serve(async (request) => {
    const { method, url: asked, headers } = request;
    const body = JSON.stringify([method, new URL(asked).pathname, headers.get("x-word"), await request.text()]);
    return new Response(body, { status: 202, headers: { "x-answer": "yes" } });
  });
  const response = await fetch(`${url}/mcp?x=1`, { method: "POST", headers: { "x-word": "a, b" }, body: "Grüße 🌿" });
  expect([response.status, response.headers.get("x-answer")]).toEqual([202, "yes"]);
  expect(await response.json()).toEqual(["POST", "/mcp", "a, b", "Grüße 🌿"]);
});

test("whoever listens to a stream knows it before anything is said in it", async () => {
  const url = await serve(async () => new Response(new ReadableStream({ start() {} })));
  const response = await fetch(url);
  expect(response.status).toBe(200);
  await response.body?.cancel();
});

test("when a client goes away, its request is aborted and nothing more is asked of the stream", async () => {
  let asked: Request | undefined;
  let isCancelled = false;
  const url = await serve(async (request) => {
    asked = request;
    const cancel = (): void => {
      isCancelled = true;
    };
    return new Response(new ReadableStream({ cancel }));
  });
  const given = new AbortController();
  await fetch(url, { signal: given.signal });
  expect(asked?.signal.aborted).toBe(false);
  given.abort();
  await waitFor("the stream to be cancelled", () => isCancelled);
  expect(asked?.signal.aborted).toBe(true);
});

test("a request that was answered whole is not aborted afterwards", async () => {
  let asked: Request | undefined;
  const url = await serve(async (request) => {
    asked = request;
    return new Response("done");
  });
  const response = await fetch(url, { headers: { connection: "close" } });
  expect(await response.text()).toBe("done");
  expect(asked?.signal.aborted).toBe(false);
});
