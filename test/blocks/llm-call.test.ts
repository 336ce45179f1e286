import { describe, expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";
import { forecastOf, foresee } from "../rig/foresee.ts";
import { createMachine } from "../rig/machine.ts";
import { anthropicEvents, type ModelReply, openaiEvents, overloaded, say, serveModel } from "../rig/model-server.ts";
import { waitFor } from "../rig/wait-for.ts";
import { anthropicBlock, callModel, modelKey, providers, spendOf, startModel } from "./model-ground.ts";

const noAnswer = { text: "", json: null, tokens_in: null, tokens_out: null, cost_usd: null, status_code: 0 };

describe.each(providers)("$name", ({ name, block, keyHeader, key }) => {
  test("an answer is text, with its tokens, its price, its model and why it ended", async () => {
    const server = await serveModel(say("Grüße, 😀 world", { tokensIn: 1000, tokensOut: 200 }));
    const prices = { [`${name}/m`]: { input: 3, output: 15 } };
    const { record, spend, shown } = await callModel(block(server, { system: "Be kind." }), { prices });
    expect(record.metadata).toMatchObject({ status: "completed", outcome: "success", attempts: 1 });
    expect(record.outputs).toMatchObject({ text: "Grüße, 😀 world", json: null, model: "scripted-1" });
    expect(record.outputs).toMatchObject({ stop_reason: "end", status_code: 200, tokens_in: 1000, tokens_out: 200 });
    expect(record.outputs.cost_usd).toBeCloseTo(0.006, 10);
    expect(spend?.tokens).toBe(1200);
    expect(spend?.usd).toBeCloseTo(0.006, 10);
    expect(spend).not.toHaveProperty("unpriced");
    expect(shown).toBe("Grüße, 😀 world");
    expect(server.requests[0]?.headers[keyHeader]).toBe(key);
    expect(server.calls[0]).toMatchObject({ model: "m", stream: true });
    expect(JSON.stringify(server.calls[0])).toContain("Be kind.");
    expect(server.calls[0]?.messages.at(-1)).toEqual({ role: "user", content: "Say hello" });
  });

  test("a price that nobody knows is null, never 0, and the tokens still count", async () => {
    const server = await serveModel(say("hello", { tokensIn: 10, tokensOut: 5 }));
    const { record, spend } = await callModel(block(server));
    expect(record.outputs).toMatchObject({ cost_usd: null, tokens_in: 10, tokens_out: 5 });
    expect(spend).toEqual({ usd: 0, tokens: 15, unpriced: true });
  });

  test("what fits the schema is a value", async () => {
    const server = await serveModel(say('```json\n{"n": 7}\n```'));
    const { record } = await callModel(block(server, { schema: numberSchema }));
    expect(record.outputs).toMatchObject({ json: { n: 7 }, status_code: 200 });
    expect(JSON.stringify(server.calls[0])).toContain("JSON Schema");
    expect(server.calls).toHaveLength(1);
  });

  test("what does not fit is sent back once with what is wrong, and both calls are paid for", async () => {
    const server = await serveModel(
      say('{"n": "seven"}', { tokensIn: 10, tokensOut: 5 }),
      say('{"n": 7}', { tokensIn: 30, tokensOut: 4 }),
    );
    const prices = { [`${name}/m`]: { input: 1, output: 2 } };
    const { record, spend, shown } = await callModel(block(server, { schema: numberSchema }), { prices });
    expect(record.metadata).toMatchObject({ outcome: "success", attempts: 1 });
    expect(record.outputs).toMatchObject({ json: { n: 7 }, text: '{"n": 7}', tokens_in: 40, tokens_out: 9 });
    expect(record.outputs.cost_usd).toBeCloseTo(58e-6, 12);
    expect(spend).toMatchObject({ tokens: 49 });
    expect(server.calls[1]?.messages.slice(-2)).toEqual([
      { role: "assistant", content: '{"n": "seven"}' },
      { role: "user", content: expect.stringContaining("answer.n must be a number") },
    ]);
    expect(shown).toContain("asked once more: answer.n must be a number");
  });

  test("what does not fit twice is a failure that says what did not fit", async () => {
    const server = await serveModel(say("seven"), say('{"n": null}'));
    const { record, spend } = await callModel(block(server, { schema: numberSchema }));
    expect(record.metadata).toMatchObject({ status: "completed", outcome: "failure" });
    expect(record.metadata.message).toBe(
      "The answer does not fit the schema, after one correction: answer.n must be a number.",
    );
    expect(record.outputs).toMatchObject({ text: '{"n": null}', json: null });
    expect(server.calls).toHaveLength(2);
    expect(spend?.tokens).toBe(30);
  });

  test("an answer that max_tokens has cut is not sent back", async () => {
    const stop = name === "anthropic" ? "max_tokens" : "length";
    const server = await serveModel(say('{"n": ', { stop }));
    const { record } = await callModel(block(server, { schema: numberSchema, max_tokens: 3 }));
    expect(record.metadata.message).toBe("The answer was cut at max_tokens (3), so it does not fit the schema.");
    expect(server.calls).toHaveLength(1);
  });

  test("without a schema it is a success that says so", async () => {
    const stop = name === "anthropic" ? "max_tokens" : "length";
    const { record } = await callModel(block(await serveModel(say("Once upon", { stop }))));
    expect(record.metadata.outcome).toBe("success");
    expect(record.outputs).toMatchObject({ text: "Once upon", stop_reason: "max_tokens" });
  });

  test("a refusal is a failure", async () => {
    const stop = name === "anthropic" ? "refusal" : "content_filter";
    const { record } = await callModel(block(await serveModel(say("I can't", { stop }))));
    expect(record.metadata).toMatchObject({ outcome: "failure", message: "The model refused to answer." });
    expect(record.outputs).toMatchObject({ stop_reason: "refused" });
  });

  test.each([429, 503, 529] as const)(
    "overload is tried again when Retry-After says, and shows as an attempt: %d",
    async (status) => {
      const server = await serveModel(overloaded(status, "0"), say("hello"));
      const { record, spend } = await callModel(block(server));
      expect(record.metadata).toMatchObject({ outcome: "success", attempts: 2 });
      const message = expect.stringMatching(/^HTTP \d+ from http:\/\/127\.0\.0\.1:\d+\/v1\/\S+: Overloaded$/);
      expect(record.metadata.attempt_history).toMatchObject([{ message }, { outcome: "success" }]);
      // What was refused has cost nothing.
      expect(spend?.tokens).toBe(15);
    },
  );

  test("after three attempts overload is a failure, and `retry: 1` tries once", async () => {
    const server = await serveModel(overloaded(529, "0"));
    const { record } = await callModel(block(server));
    expect(record.metadata).toMatchObject({ outcome: "failure", attempts: 3 });
    expect(record.outputs).toMatchObject({ ...noAnswer, status_code: 529 });
    const once = await callModel({ ...block(server), retry: 1 });
    expect(once.record.metadata).toMatchObject({ outcome: "failure", attempts: 1 });
  });

  test("other failures are not tried again unless `retry` says so", async () => {
    const reply: ModelReply = { kind: "status", status: 400, body: '{"error": {"message": "no such model"}}' };
    const server = await serveModel(reply, reply, say("hello"));
    const { record } = await callModel(block(server));
    expect(record.metadata).toMatchObject({ outcome: "failure", attempts: 1 });
    expect(record.metadata.message).toMatch(/^HTTP 400 from .*: no such model$/);
    const again = await callModel({ ...block(server), retry: { attempts: 2, delay: 0 } });
    expect(again.record.metadata).toMatchObject({ outcome: "success", attempts: 2 });
  });

  test.each(["closed", "broken"] as const)("a stream that ends before its last event is a failure: %s", async (how) => {
    const server = await serveModel({ kind: "cut", how, text: "hello, w", tokensIn: 7 }, say("hello"));
    const failed = await callModel({ ...block(server, { max_tokens: 100 }), retry: 1 });
    expect(failed.record.metadata).toMatchObject({ status: "completed", outcome: "failure" });
    expect(failed.record.metadata.message).toMatch(/^stream cut after 8 characters/);
    expect(failed.record.outputs).toMatchObject({ text: "hello, w", cost_usd: null, tokens_out: null, status_code: 0 });
    // What the provider did not tell counts as the most that it can be.
    const input = name === "anthropic" ? 7 : 9 + 200;
    expect(failed.spend?.tokens).toBe(input + 100);
    const retried = await callModel({ ...block(server), retry: { attempts: 2, delay: 0 } });
    expect(retried.record.metadata.outcome).toBe("success");
  });

  test("a failure in the midst of an answer is told, with what came before", async () => {
    const server = await serveModel({ kind: "fail", error: "api_error", text: "hel" });
    const { record } = await callModel({ ...block(server), retry: 1 });
    expect(record.metadata.message).toBe(`${name} failed after 3 characters: It broke`);
    expect(record.outputs).toMatchObject({ text: "hel", status_code: 500 });
  });

  test.each(["overloaded_error", "rate_limit_error"])(
    "%s in the midst of an answer is tried again too",
    async (error) => {
      const server = await serveModel({ kind: "fail", error, text: "hel" }, say("hello"));
      const { record } = await callModel({ ...block(server), retry: { attempts: 2, delay: 0, on: overload } });
      expect(record.metadata).toMatchObject({ outcome: "success", attempts: 2 });
    },
  );

  test("tokens that nobody tells of are null, and count as the most that they can be", async () => {
    const server = await serveModel(say("hello", { hasUsage: false }));
    const prices = { [`${name}/m`]: { input: 1, output: 1 } };
    const { record, spend } = await callModel(block(server, { max_tokens: 50 }), { prices });
    expect(record.metadata.outcome).toBe("success");
    expect(record.outputs).toMatchObject({ tokens_in: null, tokens_out: null, cost_usd: null });
    expect(spend?.tokens).toBe(9 + 200 + 50);
  });

  test("a cancel ends the request at once, and what is known of its cost is told", async () => {
    const server = await serveModel({ kind: "hang", text: "I begin", tokensIn: 40 });
    const prices = { [`${name}/m`]: { input: 1, output: 1 } };
    const { run, text } = await startModel(block(server, { max_tokens: 60 }), { prices });
    await text("I begin");
    await run.cancel();
    const { state } = await run.settled;
    const record = state.root.record.blocks.it;
    expect(record?.metadata).toMatchObject({ status: "failed", message: "cancelled" });
    expect(record?.outputs).toMatchObject({ text: "I begin", status_code: 0 });
    expect(spendOf(record)?.tokens).toBe((name === "anthropic" ? 40 : 9 + 200) + 60);
    await expect.poll(() => server.open).toBe(0);
  });

  test("a stream gives the same wherever it is cut into pieces", async () => {
    const text = "añ €uro 😀 — “ok”\n\n";
    const wire = name === "anthropic" ? anthropicEvents : openaiEvents;
    expect(Buffer.from([...wire({ text }).begin].join("")).length).toBeGreaterThan(500);
    const pieces = [[1], [2, 3], [5, 1, 7], [64, 1]];
    const server = await serveModel(...pieces.map((lengths) => say(text, { pieces: lengths })));
    for (const _lengths of pieces) {
      const { record } = await callModel(block(server));
      expect(record.outputs).toMatchObject({
        text,
        tokens_in: 10,
        tokens_out: 5,
        stop_reason: "end",
        status_code: 200,
      });
    }
  });

  test("an answer is a value like any other: what looks like an expression in it stays text", async () => {
    const hostile = "${secrets.KEY} $(touch x) `id`";
    const { record } = await callModel(block(await serveModel(say(hostile))));
    expect(record.outputs.text).toBe(hostile);
  });
});

/** What the default is, without its delay. */
const overload = ["http:429", "http:503", "http:529"];

const answersWithoutStream = [
  ["JSON", "application/json", '{"choices": []}', ': {"choices":[]}'],
  ["a page", "text/html", "<p>Log in</p>", ""],
] as const;

test.each(answersWithoutStream)("%s instead of a stream is a failure that says so", async (_what, type, body, said) => {
  const server = await serveModel({ kind: "status", status: 200, headers: { "content-type": type }, body });
  const { record } = await callModel(anthropicBlock(server));
  expect(record.metadata.message).toBe(
    `No stream of events came: HTTP 200 from ${server.baseUrl}/messages${said}. Does base_url lead to the API, with its version, such as /v1?`,
  );
  expect(record.outputs).toMatchObject(noAnswer);
});

test("a redirect is not followed with the key, and the message says where it leads", async () => {
  const headers = { location: "https://elsewhere.example/v1" };
  const server = await serveModel({ kind: "status", status: 302, headers, body: "" });
  const { record } = await callModel(anthropicBlock(server));
  expect(record.metadata.message).toContain("It leads to https://elsewhere.example/v1, where no key is taken to");
});

test("what is no event is a failure, and of a long failure only the beginning is read", async () => {
  const odd = await serveModel({ kind: "status", status: 200, headers: { "content-type": "x" }, body: "data: {\n\n" });
  const { record } = await callModel(anthropicBlock(odd));
  expect(record.metadata.message).toBe("anthropic failed after 0 characters: it sent an event that is not JSON");
  const long = await serveModel({
    kind: "status",
    status: 500,
    headers: { "content-type": "x" },
    body: "x".repeat(9e6),
  });
  const failed = await callModel(anthropicBlock(long));
  expect(failed.record.metadata.message).toMatch(/^HTTP 500 from .*: x{300}\.\.\.$/);
});

test("after its engine has died a model is asked again, and a dry run asks none", async () => {
  const server = await serveModel({ kind: "hang", text: "I begin" }, say("hello"));
  const machine = createMachine();
  const flow = { blocks: [{ id: "it", type: "LLMCall", ...anthropicBlock(server) }] };
  const dying = createTestEngine({ machine, secrets: { KEY: modelKey } });
  expect(forecastOf(await foresee(dying, flow), "it").verdict).toBe("would run");
  expect(server.requests).toHaveLength(0);
  const { runId } = await dying.start(flow);
  await waitFor("the call", () => server.requests.length === 1);
  dying.process.die();
  const { state } = await (await createTestEngine({ machine, secrets: { KEY: modelKey } }).takeOver(runId)).settled;
  expect(state.root.record.blocks.it?.outputs.text).toBe("hello");
  expect(state.root.record.blocks.it?.metadata.attempts).toBe(2);
});

const numberSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };

test("a model of this machine needs no key", async () => {
  const server = await serveModel(say("hello"));
  const inputs = { model: "openai-compatible/llama", base_url: server.baseUrl, prompt: "Hi", allow_private: true };
  const { record } = await callModel({ inputs });
  expect(record.outputs.text).toBe("hello");
  expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
  expect(server.calls[0]).toMatchObject({ max_tokens: 8192 });
});

test("a private address is refused unless it is allowed, also where it is only known late", async () => {
  const server = await serveModel(say("hello"));
  const { inputs } = anthropicBlock(server);
  const { record } = await callModel(
    { inputs: { ...inputs, base_url: "${inputs.url}", allow_private: false } },
    {},
    {
      url: server.baseUrl,
    },
  );
  expect(record.metadata).toMatchObject({ status: "failed" });
  expect(record.metadata.message).toContain("`allow_private: true` allows it.");
  expect(server.connections).toBe(0);
});

test("a redirect is not followed: the key is for the address that is named", async () => {
  const other = await serveModel(say("hello"));
  const headers = { location: `${other.baseUrl}/messages` };
  const server = await serveModel({ kind: "status", status: 307, headers, body: "" });
  const { record } = await callModel(anthropicBlock(server));
  expect(record.metadata).toMatchObject({ outcome: "failure" });
  expect(other.connections).toBe(0);
});

test("a key that is refused is told to be looked at", async () => {
  const server = await serveModel({ kind: "status", status: 401, body: '{"error": {"message": "invalid x-api-key"}}' });
  const { record } = await callModel(anthropicBlock(server));
  expect(record.metadata.message).toMatch(/invalid x-api-key\. Is the secret that api_key names the right one\?$/);
});
