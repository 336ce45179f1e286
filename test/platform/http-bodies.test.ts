import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { serve } from "../rig/http-server.ts";
import { answerOf, problemOf } from "./http-request.ts";

describe("compressed answers", () => {
  const content = "some text ".repeat(1000);
  test.each([
    { encoding: "gzip", body: gzipSync(content) },
    { encoding: "X-GZIP", body: gzipSync(content) },
    { encoding: "deflate", body: deflateSync(content) },
    { encoding: "deflate", body: deflateRawSync(content) },
    { encoding: "br", body: brotliCompressSync(content) },
    { encoding: "gzip, br", body: brotliCompressSync(gzipSync(content)) },
    { encoding: "identity", body: Buffer.from(content) },
    { encoding: "gzip", body: Buffer.concat([gzipSync(content.slice(0, 99)), gzipSync(content.slice(99))]) },
  ])("$encoding is read", async ({ encoding, body }) => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { "Content-Encoding": encoding }).end(body);
    });
    expect((await answerOf(url)).text).toBe(content);
  });

  test.each([
    { encoding: "gzip", body: Buffer.from("not gzip at all"), why: "answers with a body that is not valid gzip" },
    { encoding: "br", body: Buffer.from("not br at all"), why: "answers with a body that is not valid br" },
    { encoding: "gzip", body: gzipSync(content).subarray(0, 40), why: "answers with a body that is not valid gzip" },
    { encoding: "zstd", body: Buffer.from("x"), why: "answers with a body compressed as 'zstd', which can't be read" },
    { encoding: "gzip,".repeat(6), body: gzipSync("x"), why: "answers with a body compressed too often" },
  ])("$encoding that can't be read is a bad response: $why", async ({ encoding, body, why }) => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { "Content-Encoding": encoding }).end(body);
    });
    expect(await problemOf(url)).toEqual({ kind: "bad-response", message: `${url}/ ${why}` });
  });

  const zeros = Buffer.alloc(30_000_000);
  const nothing = gzipSync("");
  const bombs = [
    { encoding: "gzip", explode: () => gzipSync(zeros) },
    { encoding: "deflate", explode: () => deflateSync(zeros) },
    { encoding: "br", explode: () => brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }) },
    { encoding: "gzip, gzip", explode: () => gzipSync(gzipSync(zeros)) },
    // Long on the way, nothing in the end.
    { encoding: "gzip, gzip", explode: () => gzipSync(Buffer.alloc(nothing.length * 600_000, nothing)) },
  ];
  test.each(bombs)("a bomb of $encoding ends at the limit", async ({ encoding, explode }) => {
    const body = explode();
    expect(body.length).toBeLessThan(100_000);
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { "Content-Encoding": encoding }).end(body);
    });
    const before = process.memoryUsage.rss();
    expect(await problemOf(url)).toEqual({ kind: "too-large", message: `${url}/ answers with more than 10 MB` });
    expect(process.memoryUsage.rss() - before).toBeLessThan(50_000_000);
  });
});

describe("limits", () => {
  test("an answer of exactly the limit is taken, one byte more is too large, said before or not", async () => {
    const { url } = await serve((incoming, response) => {
      const length = Number(incoming.url?.slice(2));
      if (incoming.url?.startsWith("/s")) response.setHeader("Content-Length", length);
      else response.flushHeaders();
      response.end(Buffer.alloc(length));
    });
    for (const kind of ["s", "u"]) {
      expect((await answerOf(`${url}/${kind}1000`, { maxBytes: 1000 })).body).toHaveLength(1000);
      expect(await problemOf(`${url}/${kind}1001`, { maxBytes: 1000 })).toMatchObject({ kind: "too-large" });
    }
  });

  test("headers up to 64 KB are taken, larger ones are a bad response", async () => {
    const { url } = await serve((incoming, response) => {
      response.setHeader("X-Large", "x".repeat(Number(incoming.url?.slice(1))));
      response.end();
    });
    expect((await answerOf(`${url}/60000`)).headers["x-large"]).toHaveLength(60_000);
    expect(await problemOf(`${url}/70000`)).toEqual({
      kind: "bad-response",
      message: `${url}/70000 answers with headers that are too large`,
    });
  });
});
