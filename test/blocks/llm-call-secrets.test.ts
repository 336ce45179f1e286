import { describe, expect, test } from "vitest";
import { createTestEngine, type TestEngine } from "../rig/engine.ts";
import { filesWithSecret, findSecret } from "../rig/find-secret.ts";
import type { ModelReply, ModelServer } from "../rig/model-server.ts";
import { say, serveModel } from "../rig/model-server.ts";
import { waitFor } from "../rig/wait-for.ts";
import { modelKey, providers } from "./model-ground.ts";

/** What may have come of a run, without the key in any form. */
function expectNoKey(engine: TestEngine, ...left: readonly unknown[]): void {
  for (const one of left) expect(findSecret(JSON.stringify(one), modelKey)).toEqual([]);
  expect(filesWithSecret(engine.engine.platform.stateDirectory, modelKey)).toEqual([]);
}

const echoing: readonly (readonly [string, ModelReply, string])[] = [
  ["an answer that repeats it", say(`Your key is ${modelKey}, isn't it?`), "[secret KEY]"],
  ["an answer that repeats it, cut in pieces", say(`Your key is ${modelKey}.`, { pieces: [3, 50, 7] }), "[secret KEY]"],
  [
    "a failure that repeats it",
    { kind: "status", status: 400, body: JSON.stringify({ error: { message: `bad key ${modelKey}` } }) },
    "bad key [secret KEY]",
  ],
  ["a failure in plain text", { kind: "status", status: 500, body: `no: ${modelKey}` }, "no: [secret KEY]"],
  ["a stream that is cut after it", { kind: "cut", how: "broken", text: `It is ${modelKey}` }, "[secret KEY]"],
];

describe.each(providers)("the key of $name", ({ block }) => {
  test.each(echoing)("stays out of everything, in %s", async (_how, reply, expected) => {
    const server = await serveModel(reply);
    const engine = createTestEngine({ secrets: { KEY: modelKey } });
    const shown: string[] = [];
    const { response, events } = await engine.run(
      { blocks: [{ id: "it", type: "LLMCall", ...block(server), retry: 1 }], outputs: { text: "${blocks.it.text}" } },
      { onOutput: (_path, text) => shown.push(text) },
    );
    expect(JSON.stringify(server.requests[0]?.headers)).toContain(modelKey);
    expect(JSON.stringify(response)).toContain(expected);
    expectNoKey(engine, response, events, shown.join(""));
  });

  test("stays out of everything when it is cancelled in the midst of an answer that repeats it", async () => {
    const server = await serveModel({ kind: "hang", text: `It is ${modelKey} and on` });
    const engine = createTestEngine({ secrets: { KEY: modelKey } });
    const shown: string[] = [];
    const run = await engine.start(
      { blocks: [{ id: "it", type: "LLMCall", ...block(server) }] },
      { onOutput: (_path, text) => shown.push(text) },
    );
    await waitFor("a part of the answer", () => shown.join("").includes("It is"));
    await run.cancel();
    const { response, events } = await run.settled;
    expectNoKey(engine, response, events, shown.join(""));
  });
});

function problemsOf(inputs: object, more: object = {}): string[] {
  const { diagnostics } = createTestEngine().check({
    blocks: [{ id: "it", type: "LLMCall", inputs: { prompt: "Hi", ...inputs } }],
    ...more,
  });
  return diagnostics.map(({ level, code, message }) => `${level} ${code}: ${message.replace(/^block 'it': /, "")}`);
}

describe("what is refused before a run", () => {
  const model = "anthropic/m";
  const api_key = "${secrets.KEY}";
  test.each([
    [
      "a key as text",
      { model, api_key: "sk-123" },
      "secret-needed: 'api_key' of a block of type LLMCall takes a secret",
    ],
    ["a key with text around it", { model, api_key: "x${secrets.KEY}" }, "secret-needed: 'api_key' of a block"],
    ["a key from a value", { model, api_key: "${metadata.run_id}" }, "secret-needed: 'api_key' of a block"],
    [
      "a secret in the prompt",
      { model, api_key, prompt: "${secrets.KEY}" },
      "secret-not-allowed: A secret can't be in",
    ],
    ["no key", { model }, "missing-api-key: anthropic needs an api_key."],
    ["a key that is nothing", { model, api_key: null }, "missing-api-key: anthropic needs an api_key."],
    ["no provider", { model: "claude-x", api_key }, "unknown-model: 'claude-x' does not say who provides it"],
    [
      "an unknown provider",
      { model: "foo/bar", api_key },
      "unknown-model: 'foo' is no provider: there are anthropic, ",
    ],
    ["no name", { model: "openai/", api_key }, "unknown-model: 'openai/' names no model of openai."],
    ["no address", { model: "openai-compatible/m" }, "missing-base-url: 'openai-compatible/m' needs a base_url"],
    ["no web address", { model, api_key, base_url: "localhost:1" }, "bad-url: the base_url can't be called"],
    ["a private address", { model, api_key, base_url: "http://localhost:1/v1" }, "private-address: 'localhost' is"],
    ["a schema that checks nothing", { model, api_key, schema: { typ: "x" } }, "bad-answer-schema: the schema of the"],
  ])("%s", (_what, inputs, expected) => {
    expect(problemsOf(inputs)).toEqual([expect.stringContaining(`error ${expected}`)]);
  });

  test("nothing of a call that is as it should be, also with the secret input of a workflow", () => {
    expect(problemsOf({ model, api_key })).toEqual([]);
    const key = { type: "string", description: "A key", secret: true };
    expect(problemsOf({ model, api_key: "${inputs.key}" }, { inputs: { key } })).toEqual([]);
  });
});

test("a key that is missing where the model is only known late is told before anything is asked", async () => {
  const server: ModelServer = await serveModel(say("hello"));
  const { state } = await createTestEngine().run(
    {
      inputs: { model: { type: "string", description: "A model" } },
      blocks: [
        {
          id: "it",
          type: "LLMCall",
          inputs: { model: "${inputs.model}", prompt: "Hi", base_url: server.baseUrl, allow_private: true },
        },
      ],
    },
    { inputs: { model: "openai/m" } },
  );
  expect(state.root.record.blocks.it?.metadata).toMatchObject({
    status: "failed",
    message:
      "openai needs an api_key. Add `api_key: ${secrets.OPENAI_API_KEY}`, and set FROND_SECRET_OPENAI_API_KEY where Frond is started.",
  });
  expect(server.connections).toBe(0);
});
