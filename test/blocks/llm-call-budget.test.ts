import { expect, test } from "vitest";
import { createTestEngine } from "../rig/engine.ts";
import { type ModelServer, overloaded, say, serveModel } from "../rig/model-server.ts";
import { anthropicBlock, modelKey } from "./model-ground.ts";

/** A dollar for 100 tokens of output, and nothing for input: an estimate is as many dollars as it has hundreds of tokens. */
const prices = { "anthropic/m": { input: 0, output: 10_000 } };

/** As many calls as wanted at the same time, each of a dollar at most, under a budget. */
async function askMany(server: ModelServer, count: number, dollars: number, more: object = {}, keys: object = {}) {
  const engine = createTestEngine({ prices, secrets: { KEY: modelKey } });
  const blocks = Array.from({ length: count }, (_, index) => ({
    id: `ask_${index}`,
    type: "LLMCall",
    ...anthropicBlock(server, { max_tokens: 100, ...more }),
    ...keys,
  }));
  const { response, state } = await engine.run({ budget: { max_cost_usd: dollars, on_exceeded: "stop" }, blocks });
  return { response, record: state.root.record };
}

test("of ten calls at the same time with room for one, one starts", async () => {
  const server = await serveModel(say("hello", { tokensOut: 100 }));
  const { response, record } = await askMany(server, 10, 1.5);
  expect(server.requests).toHaveLength(1);
  expect(response.status).toBe("failure");
  expect(record.metadata.spend).toMatchObject({ usd: 1 });
});

test("what a call has cost less than it might have is there for others", async () => {
  const server = await serveModel(say("hello", { tokensOut: 10 }));
  const { record } = await askMany(server, 10, 1.5);
  // Five have cost half a dollar, and the sixth may cost one.
  expect(server.requests).toHaveLength(6);
  expect(record.metadata.spend).toMatchObject({ usd: expect.closeTo(0.6, 9) });
});

test("the second call that a schema may take is in the estimate", async () => {
  const schema = { type: "object", required: ["n"] };
  const server = await serveModel(say("no", { tokensOut: 100 }), say('{"n": 1}', { tokensOut: 100 }));
  expect((await askMany(server, 1, 1.9, { schema })).response.status).toBe("failure");
  expect(server.requests).toHaveLength(0);
  const { response, record } = await askMany(server, 1, 2, { schema });
  expect(response.status).toBe("success");
  expect(record.metadata.spend).toMatchObject({ usd: 2 });
});

test("an attempt that was refused for overload costs nothing, and the next one fits", async () => {
  const server = await serveModel(overloaded(529, "0"), say("hello", { tokensOut: 100 }));
  const { response, record } = await askMany(server, 1, 1);
  expect(response.status).toBe("success");
  expect(server.requests).toHaveLength(2);
  expect(record.metadata.spend).toMatchObject({ usd: 1 });
});

test("so it does where only the author says what a call costs", async () => {
  const server = await serveModel(overloaded(529, "0"), say("hello"));
  const { response, record } = await askMany(server, 1, 1, { model: "anthropic/other" }, { cost: { usd: 1 } });
  expect(response.status).toBe("success");
  expect(server.requests).toHaveLength(2);
  expect(record.metadata.spend).toMatchObject({ usd: 1 });
});

test("a model whose price nobody knows is not asked where costs are limited", async () => {
  const server = await serveModel(say("hello"));
  const { response } = await askMany(server, 1, 100, { model: "anthropic/other" });
  expect(response.failed_blocks?.[0]?.message).toContain("Nobody knows what it may cost");
  expect(server.requests).toHaveLength(0);
});
