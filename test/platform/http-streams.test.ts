import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { HttpHead } from "../../src/block/ports.ts";
import { serve } from "../rig/http-server.ts";
import { answerOf, problemOf } from "./http-request.ts";

/** Takes a body as text, and tells after each piece what it has. */
function collect(onText: (text: string) => "more" | "enough" = () => "more") {
  const heads: HttpHead[] = [];
  const decoder = new TextDecoder();
  const taken = { heads, text: "" };
  const streamBody = (head: HttpHead) => {
    heads.push(head);
    return (chunk: Uint8Array) => {
      taken.text += decoder.decode(chunk, { stream: true });
      return onText(taken.text);
    };
  };
  return { taken, streamBody };
}

test("a body is handed over as it comes, and nothing of it is kept", async () => {
  let sendRest = (): void => {};
  const { url } = await serve((_request, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" }).write("first");
    sendRest = () => void response.end(" and last");
  });
  const { taken, streamBody } = collect((text) => {
    if (text === "first") sendRest();
    return "more";
  });
  const { status, body } = await answerOf(url, { streamBody });
  expect({ status, bytes: body.length, ...taken }).toMatchObject({
    status: 200,
    bytes: 0,
    text: "first and last",
    heads: [{ status: 200, headers: { "content-type": "text/event-stream" } }],
  });
});

test("who does not want it gets it whole", async () => {
  const { url } = await serve((_request, response) => response.writeHead(529).end("busy"));
  const { text } = await answerOf(url, { streamBody: ({ status }) => (status === 200 ? () => "more" : undefined) });
  expect(text).toBe("busy");
});

test("only the body of the last response of a redirect is handed over", async () => {
  const { url } = await serve((request, response) => {
    if (request.url === "/") response.writeHead(302, { Location: "/there" }).end("go away");
    else response.end("here");
  });
  const { taken, streamBody } = collect();
  await answerOf(url, { streamBody });
  expect(taken).toMatchObject({ heads: [{ status: 200 }], text: "here" });
});

test("after enough the rest is not waited for, and the connection ends", async () => {
  const server = await serve((_request, response) => void response.writeHead(200).write("all that is wanted"));
  const { streamBody } = collect(() => "enough");
  expect((await answerOf(server.url, { streamBody })).status).toBe(200);
  await expect.poll(() => server.open).toBe(0);
});

test("the limit holds for what is streamed, also for what it is decompressed to", async () => {
  const { url } = await serve((_request, response) => {
    response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(Buffer.alloc(30_000_000)));
  });
  let most = 0;
  const streamBody = () => (chunk: Uint8Array) => {
    most += chunk.length;
    return "more" as const;
  };
  expect(await problemOf(url, { streamBody })).toMatchObject({ kind: "too-large" });
  expect(most).toBeLessThanOrEqual(10_000_000);
});

test("a body that breaks off is a bad response, after what came of it was handed over", async () => {
  const { url } = await serve((_request, response) => {
    response.writeHead(200, { "Content-Length": "100" });
    response.write("a part", () => response.destroy());
  });
  const { taken, streamBody } = collect();
  const problem = await problemOf(url, { streamBody });
  expect(problem).toEqual({ kind: "bad-response", message: `${url}/ broke off in the middle of its answer` });
  expect(taken.text).toBe("a part");
});

test("an abort in the midst of a stream ends the connection at once", async () => {
  const server = await serve((_request, response) => void response.writeHead(200).write("a part"));
  const abort = new AbortController();
  const { streamBody } = collect(() => {
    abort.abort();
    return "more";
  });
  expect(await problemOf(server.url, { streamBody, signal: abort.signal })).toMatchObject({ kind: "aborted" });
  await expect.poll(() => server.open).toBe(0);
});
