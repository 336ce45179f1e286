import { describe, expect, test } from "vitest";
import type { Execution } from "../../src/engine/execution.ts";
import type { ValueMap } from "../../src/expression/value.ts";
import { createTestEngine, explain, type TestEngine } from "../rig/engine.ts";
import { openServer, serve, serveBytes } from "../rig/http-server.ts";
import { createMachine, type TestMachine } from "../rig/machine.ts";
import { waitFor } from "../rig/wait-for.ts";

/** Runs one HttpCall, to a server of this machine unless it says otherwise, and gives its record. */
async function callHttp(
  inputs: object,
  more: object = {},
  given: ValueMap = {},
  engine: TestEngine = createTestEngine(),
): Promise<Execution> {
  const declared = Object.keys(given).map((name) => [name, { type: "json", required: false, description: "Given" }]);
  const { state } = await engine.run(
    { inputs: Object.fromEntries(declared), blocks: [block({ allow_private: true, ...inputs }, more)] },
    { inputs: given },
  );
  return state.root.record.blocks.it as Execution;
}

function block(inputs: object, more: object = {}): object {
  return { id: "it", type: "HttpCall", inputs, ...more };
}

function codesOf(inputs: object): string[] {
  const { diagnostics } = createTestEngine().check({ blocks: [block(inputs)] });
  return diagnostics.map(({ code, level }) => `${level} ${code}`);
}

const noAnswer = { status_code: 0, headers: {}, body: "", json: null };

describe("what comes of an answer", () => {
  test("a status below 400 is a success, with all there is to the answer", async () => {
    const { url } = await serve((_request, response) => {
      response.writeHead(202, { "Content-Type": "application/json", ETag: '"x"', "Set-Cookie": "a=1" });
      response.end('{"list": [1, {"a": null}]}');
    });
    const { metadata, outputs } = await callHttp({ url });
    expect(metadata).toMatchObject({ status: "completed", outcome: "success", message: null });
    expect(outputs).toMatchObject({ status_code: 202, body: '{"list": [1, {"a": null}]}' });
    expect(outputs.json).toEqual({ list: [1, { a: null }] });
    expect(outputs.headers).toMatchObject({ etag: '"x"', "set-cookie": ["a=1"], "content-type": "application/json" });
  });

  test.each([
    { type: "text/plain", said: "it broke\nat line 1\nat line 2", reason: ": it broke" },
    { type: "application/json", said: '{\n  "error": "it broke"\n}', reason: ': {"error":"it broke"}' },
    { type: "text/html; charset=utf-8", said: "<!DOCTYPE html><p>it broke", reason: "" },
    { type: "text/plain", said: "", reason: "" },
    { type: "text/plain", said: "x".repeat(1000), reason: `: ${"x".repeat(300)}...` },
  ])("a status of 400 or more is a failure that says '$reason'", async ({ type, said, reason }) => {
    const { url } = await serve((_request, response) => {
      response.writeHead(500, { "Content-Type": type, "Retry-After": "120" }).end(said);
    });
    const { metadata, outputs } = await callHttp({ url: `${url}/path?token=geheim` });
    expect(metadata).toMatchObject({ status: "completed", outcome: "failure" });
    expect(metadata.message).toBe(`HTTP 500 from ${url}/path${reason}`);
    expect(outputs).toMatchObject({ status_code: 500, body: said, headers: { "retry-after": "120" } });
  });

  test("the status can be asked for by a condition, which then decides alone", async () => {
    const { url } = await serve((_request, response) => response.writeHead(404).end());
    const { response, state } = await createTestEngine().run({
      blocks: [
        block({ url, allow_private: true }),
        { id: "make", type: "Shell", inputs: { command: "true" }, condition: "${blocks.it.status_code} == 404" },
        { id: "after", type: "Shell", inputs: { command: "true" }, depends_on: ["it"] },
      ],
    });
    const { make, after } = state.root.record.blocks;
    expect([make?.metadata.succeeded, after?.metadata.skipped]).toEqual([true, true]);
    expect(response).toMatchObject({ status: "failure", failed_blocks: [{ block: "it" }] });
  });

  test("HEAD and 204 have no body", async () => {
    const { url, requests } = await serve((_request, response) => response.writeHead(204).end());
    for (const method of ["HEAD", "GET"]) {
      const { outputs, metadata } = await callHttp({ url, method });
      expect(metadata.succeeded).toBe(true);
      expect(outputs).toMatchObject({ status_code: 204, body: "", json: null });
    }
    expect(requests.map(({ method }) => method)).toEqual(["HEAD", "GET"]);
  });

  test.each([
    { type: "text/plain; charset=iso-8859-1", bytes: [0xe9], text: "é" },
    { type: 'text/plain; charset="windows-1252"', bytes: [0x80], text: "€" },
    { type: "text/plain; charset=utf-16le", bytes: [0x41, 0, 0xac, 0x20], text: "A€" },
    { type: "text/plain", bytes: [0xe2, 0x82, 0xac], text: "€" },
    { type: "text/plain", bytes: [0xef, 0xbb, 0xbf, 0x41], text: "A" },
    { type: "text/plain; charset=no-such-thing", bytes: [0xe2, 0x82, 0xac], text: "€" },
    { type: "application/octet-stream", bytes: [0xff, 0x00, 0x41], text: "\ufffd\0A" },
  ])("$bytes as $type is the text '$text'", async ({ type, bytes, text }) => {
    const { url } = await serve((_request, response) => {
      response.writeHead(200, { "Content-Type": type }).end(Buffer.from(bytes));
    });
    expect((await callHttp({ url })).outputs.body).toBe(text);
  });

  test.each([
    { type: "application/json", said: "[1]", json: [1] },
    { type: "application/problem+json; charset=utf-8", said: '{"a":1}', json: { a: 1 } },
    { type: "text/json", said: "7", json: 7 },
    { type: "text/plain", said: "[1]", json: null },
    { type: "application/jsonl", said: "[1]", json: null },
    { type: "application/json", said: "not json", json: null },
    { type: "application/json", said: "", json: null },
    { type: "application/json", said: "[".repeat(300) + "]".repeat(300), json: null },
    { type: "application/json", said: "[".repeat(1_000_000), json: null },
  ])("$type is parsed only if it is JSON, and can be", async ({ type, said, json }) => {
    const { url } = await serve((_request, response) => response.writeHead(200, { "Content-Type": type }).end(said));
    const { outputs, metadata } = await callHttp({ url });
    expect(metadata.succeeded).toBe(true);
    expect(outputs.json).toEqual(json);
    expect(outputs.body).toBe(said);
  });

  test("more than 10 MB is a failure", async () => {
    const { url } = await serve((_request, response) => response.end(Buffer.alloc(10_000_001)));
    const { metadata, outputs } = await callHttp({ url });
    expect(metadata).toMatchObject({ status: "completed", outcome: "failure" });
    expect(metadata.message).toBe(`${url}/ answers with more than 10 MB`);
    expect(outputs).toEqual(noAnswer);
  });
});

describe("what is sent", () => {
  test.each([
    { json: { a: [1, null], b: "ü" }, body: '{"a":[1,null],"b":"ü"}' },
    { json: null, body: "null" },
    { json: "text", body: '"text"' },
    { json: "${inputs.value}", body: '{"x":{"y":[true]}}' },
  ])("$json as JSON", async ({ json, body }) => {
    const { url, requests } = await serve((_request, response) => response.end());
    await callHttp({ url, method: "POST", json }, {}, { value: { x: { y: [true] } } });
    expect(requests).toMatchObject([{ method: "POST", body, headers: { "content-type": "application/json" } }]);
  });

  test("a body as it is, in UTF-8; a content type that is given wins", async () => {
    const { url, requests } = await serve((_request, response) => response.end());
    await callHttp({ url, method: "PUT", body: "größer\r\n" });
    await callHttp({
      url,
      method: "PUT",
      body: "a=b",
      headers: { "CONTENT-type": "application/x-www-form-urlencoded" },
    });
    await callHttp({ url, method: "PATCH", json: {}, headers: { "Content-Type": "application/merge-patch+json" } });
    await callHttp({ url, method: "POST" });
    expect(requests.map(({ body, headers }) => [body, headers["content-type"], headers["content-length"]])).toEqual([
      ["größer\r\n", "text/plain; charset=utf-8", "10"],
      ["a=b", "application/x-www-form-urlencoded", "3"],
      ["{}", "application/merge-patch+json", "2"],
      ["", undefined, "0"],
    ]);
  });

  test("headers as text, also of numbers and booleans", async () => {
    const { url, requests } = await serve((_request, response) => response.end());
    await callHttp(
      { url, headers: { "X-Text": "${inputs.value}", "X-Number": 7, "X-Flag": true } },
      {},
      { value: "é a" },
    );
    expect(requests[0]?.headers).toMatchObject({ "x-text": "é a", "x-number": "7", "x-flag": "true" });
  });

  test.each([
    { url: "/", query: { a: "b c&d=e+f#g/ü", "k&y": 1 }, path: "/?a=b%20c%26d%3De%2Bf%23g%2F%C3%BC&k%26y=1" },
    { url: "/p?own=a%20b+c&flag", query: { more: true }, path: "/p?own=a%20b+c&flag&more=true" },
    { url: "/", query: { list: ["x", 2, false], none: [] }, path: "/?list=x&list=2&list=false" },
    { url: "/?own=1#fragment", query: { a: "" }, path: "/?own=1&a=" },
    { url: "/?own=1", query: {}, path: "/?own=1" },
    { url: "/", query: { big: 1e21 }, path: "/?big=1000000000000000000000" },
    { url: "/", query: { a: "${inputs.value}" }, path: "/?a=x%26admin%3D1" },
  ])("$query after $url as $path", async ({ url: own, query, path }) => {
    const { url, requests } = await serve((_request, response) => response.end());
    await callHttp({ url: `${url}${own}`, query }, {}, { value: "x&admin=1" });
    expect(requests[0]?.url).toBe(path);
  });

  test.each(["POST", "PUT", "PATCH", "DELETE"])(
    "%s carries the key of its block and run, or its own",
    async (method) => {
      const { url, requests } = await serve((_request, response) => response.end());
      await callHttp({ url, method });
      await callHttp({ url, method });
      await callHttp({ url, method, headers: { "Idempotency-Key": "own" } });
      const [first, second, third] = requests.map(({ headers }) => headers["idempotency-key"]);
      expect(first).toMatch(/^\S{16,}$/);
      expect(second).not.toBe(first);
      expect(third).toBe("own");
    },
  );

  test.each(["GET", "HEAD", "OPTIONS"])("%s carries no idempotency key", async (method) => {
    const { url, requests } = await serve((_request, response) => response.end());
    await callHttp({ url, method });
    expect(requests[0]?.headers).not.toHaveProperty("idempotency-key");
  });
});

describe("what is refused", () => {
  const addresses = [
    { url: "http://127.0.0.1:PORT/", why: /is refused: it is an address of this machine/ },
    { url: "http://localhost:PORT/", why: /'localhost' is .*, an address of this machine/ },
    { url: "http://2130706433:PORT/", why: /is refused/ },
    { url: "http://[::ffff:127.0.0.1]:PORT/", why: /is refused/ },
    { url: "http://169.254.169.254/latest/meta-data/", why: /link-local/ },
    { url: "file:///etc/passwd", why: /only http/ },
    { url: "http://user:geheim@127.0.0.1:PORT/", why: /belong into headers/ },
    { url: "no address", why: /not an address/ },
  ];
  test.each(addresses)("$url: the block can't run, and nobody hears of it", async ({ url, why }) => {
    const server = await serve((_request, response) => response.end());
    // As a value, so that nothing is known of it before it runs.
    const value = url.replace("PORT", String(server.port));
    const { metadata, outputs } = await callHttp({ url: "${inputs.value}", allow_private: false }, {}, { value });
    expect(metadata).toMatchObject({ status: "failed", outcome: "n/a" });
    expect(metadata.message).toMatch(why);
    expect(metadata.message).not.toContain("geheim");
    expect(outputs).toEqual(noAnswer);
    expect(server.connections).toBe(0);
  });

  test.each([
    { headers: { "X-A": "${inputs.value}" }, value: "a\r\nX-Injected: 1", why: /'X-A' holds a line break/ },
    { headers: { "X-A": "${inputs.value}" }, value: "token\n", why: /trim/ },
    { headers: { "X-A": "${inputs.value}" }, value: "a\0b", why: /a character that no header can hold/ },
    { headers: { "X-A": "${inputs.value}" }, value: "日本", why: /a character that no header can hold/ },
    { headers: "${inputs.value}", value: { "X-A\r\nX-B": "1" }, why: /can't be the name of a header/ },
    { headers: "${inputs.value}", value: { "": "1" }, why: /can't be the name of a header/ },
    { headers: "${inputs.value}", value: { "Transfer-Encoding": "chunked" }, why: /set by Frond itself/ },
    { headers: "${inputs.value}", value: { "x-a": "1", "X-A": "2" }, why: /there twice/ },
  ])("header $headers with $value", async ({ headers, value, why }) => {
    const server = await serve((_request, response) => response.end());
    const { metadata } = await callHttp({ url: server.url, headers }, {}, { value });
    expect(metadata).toMatchObject({ status: "failed", outcome: "n/a", message: expect.stringMatching(why) });
    expect(server.connections).toBe(0);
  });

  test("a path or a query can't become another request", async () => {
    const { url, requests } = await serve((_request, response) => response.end());
    const value = "x HTTP/1.1\r\nX-Injected: 1\r\n\r\nGET /other";
    await callHttp({ url: `${url}/\${inputs.value}`, query: { q: "${inputs.value}" } }, {}, { value });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.headers).not.toHaveProperty("x-injected");
  });

  test("json and body at once, however they are given", async () => {
    const url = "https://example.com/";
    expect(codesOf({ url, method: "POST", json: {}, body: "" })).toEqual(["error json-or-body"]);
  });

  test.each([
    { inputs: { url: "http://localhost:8080/x" }, codes: ["error private-address"] },
    { inputs: { url: "http://LOCALHOST" }, codes: ["error private-address"] },
    { inputs: { url: "http://10.0.0.7/" }, codes: ["error private-address"] },
    { inputs: { url: "http://0x7f.1/", allow_private: false }, codes: ["error private-address"] },
    { inputs: { url: "http://[::1]:80/" }, codes: ["error private-address"] },
    { inputs: { url: "http://localhost:${metadata.run_id}/" }, codes: ["error private-address"] },
    { inputs: { url: "http://127.0.0.${metadata.run_id}/" }, codes: [] },
    { inputs: { url: "${metadata.run_id}/" }, codes: [] },
    { inputs: { url: "http://localhost/", allow_private: true }, codes: [] },
    { inputs: { url: "http://localhost/", allow_private: "${metadata.run_id == 'x'}" }, codes: [] },
    { inputs: { url: "https://example.com/" }, codes: [] },
    { inputs: { url: "https://user:pw@example.com/" }, codes: ["error bad-url"] },
    { inputs: { url: "example.com/path" }, codes: ["error bad-url"] },
    { inputs: { url: "localhost:3000" }, codes: ["error bad-url"] },
    { inputs: { url: "ftp://example.com/" }, codes: ["error bad-url"] },
    { inputs: { url: "https://example.com/", method: "get" }, codes: ["error wrong-type"] },
    { inputs: { url: "https://example.com/", json: {} }, codes: ["warning content-of-get"] },
    { inputs: { url: "https://example.com/", method: "HEAD", body: "x" }, codes: ["warning content-of-get"] },
    { inputs: { url: "https://example.com/", method: "DELETE", body: "x" }, codes: [] },
    { inputs: { url: "https://example.com/", headers: { "a b": "c" } }, codes: ["error bad-header"] },
    { inputs: { url: "https://example.com/", headers: { "Content-Length": 3 } }, codes: ["error bad-header"] },
    {
      inputs: { url: "https://example.com/", headers: { Upgrade: "${metadata.run_id}" } },
      codes: ["error bad-header"],
    },
    { inputs: { url: "https://example.com/", headers: { A: "b\nc" } }, codes: ["error bad-header"] },
    { inputs: { url: "https://example.com/", headers: { Authorization: "Bearer ${metadata.run_id}" } }, codes: [] },
  ])("$inputs is told before it runs: $codes", ({ inputs, codes }) => {
    expect(codesOf(inputs)).toEqual(codes);
  });

  test("an address without its scheme is told what to write", () => {
    const { diagnostics } = createTestEngine().check({ blocks: [block({ url: "localhost:3000/x" })] });
    expect(explain(diagnostics)).toContain("only http:// and https:// addresses can be called");
    expect(diagnostics[0]?.fix).toBe("Write https://localhost:3000/x or http://localhost:3000/x.");
  });
});

describe("what goes wrong on the network", () => {
  test("a refused connection is a failure of the operation", async () => {
    const server = await openServer(() => {});
    await server.close();
    const { metadata, outputs } = await callHttp({ url: server.url });
    expect(metadata).toMatchObject({ status: "completed", outcome: "failure" });
    expect(metadata.message).toBe(`${server.url}/ can't be reached: the connection was refused`);
    expect(outputs).toEqual(noAnswer);
  });

  test.each([
    { what: "headers", bytes: "" },
    { what: "a body", bytes: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nslow" },
  ])("$what that do not come in time: the block fails, and the connection ends", async ({ bytes }) => {
    const server = await serveBytes(bytes, { ends: false });
    const { metadata, outputs } = await callHttp({ url: server.url, timeout: 0.1 });
    expect(metadata).toMatchObject({ status: "failed", outcome: "n/a", message: "ran longer than its limit of 100ms" });
    expect(outputs).toEqual(noAnswer);
    await waitFor("the connection to be closed", () => server.open === 0);
  });

  test("a cancelled run does not wait for an answer", async () => {
    const server = await serveBytes("", { ends: false });
    const run = await createTestEngine().start({ blocks: [block({ url: server.url, allow_private: true })] });
    await waitFor("the call", () => server.connections === 1);
    await run.cancel();
    const { state } = await run.settled;
    expect(state.root.record.blocks.it?.metadata).toMatchObject({ status: "failed", message: "cancelled" });
    await waitFor("the connection to be closed", () => server.open === 0);
  });
});

describe("after an interruption", () => {
  /** A run whose call was waiting for its answer when its engine died. */
  async function interrupt(machine: TestMachine, method: string) {
    let isSlow = true;
    const server = await serve((_request, response) => {
      if (!isSlow) response.end("answered");
    });
    const dying = createTestEngine({ machine });
    const inputs = { url: server.url, method: "${inputs.method}", allow_private: true };
    const declared = { method: { type: "string", description: "Given" } };
    const { runId } = await dying.start({ inputs: declared, blocks: [block(inputs)] }, { inputs: { method } });
    await waitFor("the call", () => server.requests.length === 1);
    dying.process.die();
    isSlow = false;
    return { server, runId };
  }

  test.each(["GET", "HEAD", "OPTIONS"])("%s is asked again", async (method) => {
    const machine = createMachine();
    const { server, runId } = await interrupt(machine, method);
    const { response, state } = await (await createTestEngine({ machine }).takeOver(runId)).settled;
    expect(response.status).toBe("success");
    expect(state.root.record.blocks.it?.metadata.attempts).toBe(2);
    expect(server.requests).toHaveLength(2);
  });

  test.each(["POST", "PUT", "PATCH", "DELETE"])("%s waits for a decision; rerun sends the same key", async (method) => {
    const machine = createMachine();
    const { server, runId } = await interrupt(machine, method);
    const run = await createTestEngine({ machine }).takeOver(runId);
    expect((await run.settled).response.status).toBe("paused");
    expect(server.requests).toHaveLength(1);
    await run.answer("it", "rerun");
    expect((await run.goOn()).response.status).toBe("success");
    const [first, second] = server.requests.map(({ headers }) => headers["idempotency-key"]);
    expect(first).toBeTruthy();
    expect(second).toBe(first);
  });

  test("done takes it for a success, of which nothing else is known", async () => {
    const machine = createMachine();
    const { server, runId } = await interrupt(machine, "POST");
    const run = await createTestEngine({ machine }).takeOver(runId);
    await run.settled;
    await run.answer("it", "done");
    const { state } = await run.goOn();
    expect(state.root.record.blocks.it?.metadata.succeeded).toBe(true);
    expect(state.root.record.blocks.it?.outputs).toEqual({ ...noAnswer, status_code: 200 });
    expect(server.requests).toHaveLength(1);
  });
});
