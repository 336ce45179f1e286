import { expect, test } from "vitest";
import type { Value } from "../../expression/value.ts";
import { anthropic } from "./anthropic.ts";
import type { AnswerSoFar, ModelProvider } from "./model-provider.ts";
import { openai } from "./openai.ts";

function read({ read: add }: ModelProvider, ...data: readonly Value[]): AnswerSoFar {
  const answer: AnswerSoFar = { text: "", usage: {}, isComplete: false };
  for (const one of data) add(one, answer);
  return answer;
}

test("what OpenAI has read from its cache or kept there is part of its input, and told apart from the rest", () => {
  const details = { cached_tokens: 30, cache_write_tokens: 50 };
  const usage = { prompt_tokens: 100, prompt_tokens_details: details, completion_tokens: 7 };
  expect(read(openai, { choices: [], usage }).usage).toEqual({ input: 20, cacheRead: 30, cacheWrite: 50, output: 7 });
  const plain = { prompt_tokens: 100, prompt_tokens_details: null, completion_tokens: 7 };
  expect(read(openai, { choices: [], usage: plain }).usage).toEqual({ input: 100, output: 7 });
});

test("what Anthropic has read from its cache or kept there comes beside its input; what it says of output at first is no count", () => {
  const usage = { input_tokens: 20, cache_read_input_tokens: 30, cache_creation_input_tokens: 50, output_tokens: 1 };
  const start = { type: "message_start", message: { model: "m", usage } };
  expect(read(anthropic, start).usage).toEqual({ input: 20, cacheRead: 30, cacheWrite: 50 });
  const end = { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } };
  expect(read(anthropic, start, end).usage).toEqual({ input: 20, cacheRead: 30, cacheWrite: 50, output: 7 });
});

test("a refusal of OpenAI is text that is no answer", () => {
  const delta = { choices: [{ delta: { refusal: "I can't." }, finish_reason: "stop" }] };
  expect(read(openai, delta)).toMatchObject({ text: "I can't.", isRefused: true });
});

test.each([
  [{ type: "rate_limit_error", message: "slow" }, 429],
  [{ code: "rate_limit_exceeded", message: "slow" }, 429],
  [{ type: "overloaded_error", message: "busy" }, 503],
  [{ code: 502, message: "gone" }, 502],
  [{ type: "server_error", message: "x" }, 500],
  ["words", 500],
])("the error %j in a stream is a status of %d", (error, status) => {
  expect(read(openai, { error }).failure?.status).toBe(status);
});

test.each(["text", 7, null, [], { choices: "x" }, { choices: [null] }, { type: "message_start", message: 3 }])(
  "%j, which no provider should send, adds nothing",
  (data) => {
    for (const provider of [openai, anthropic]) {
      expect(read(provider, data as Value)).toEqual({ text: "", usage: {}, isComplete: false });
    }
  },
);
