import type { Value } from "../../expression/value.ts";
import { defined } from "../../util/defined.ts";
import { type AnswerSoFar, type ModelProvider, nameStop } from "./model-provider.ts";
import { readCount, readField, readText } from "./read-field.ts";

/** The Messages API. */
export const anthropic: ModelProvider = {
  name: "anthropic",
  baseUrl: "https://api.anthropic.com/v1",
  usualKey: "ANTHROPIC_API_KEY",
  path: "/messages",
  headers: (key) => ({ ...defined({ "x-api-key": key }), "anthropic-version": "2023-06-01" }),
  body: ({ model, system, messages, maxTokens, temperature }) => ({
    model,
    max_tokens: maxTokens,
    ...defined({ system, temperature }),
    messages,
    stream: true,
  }),
  read,
};

function read(data: Value, answer: AnswerSoFar): void {
  switch (readText(data, "type")) {
    case "message_start":
      Object.assign(answer, defined({ model: readText(data, "message", "model") }));
      // What it says of output is only a beginning.
      return addInput(readField(data, "message", "usage"), answer);
    case "content_block_start":
      answer.text += readText(data, "content_block", "text") ?? "";
      return;
    case "content_block_delta":
      answer.text += readText(data, "delta", "text") ?? "";
      return;
    case "message_delta":
      Object.assign(answer, defined({ stopReason: nameStop(readText(data, "delta", "stop_reason"), stops) }));
      addInput(readField(data, "usage"), answer);
      Object.assign(answer.usage, defined({ output: readCount(data, "usage", "output_tokens") }));
      return;
    case "message_stop":
      answer.isComplete = true;
      return;
    case "error":
      answer.failure = {
        message: readText(data, "error", "message") ?? "an error without a message",
        status: statusOf(readText(data, "error", "type") ?? ""),
      };
  }
}

function addInput(usage: Value = null, answer: AnswerSoFar): void {
  const input = readCount(usage, "input_tokens");
  const cacheRead = readCount(usage, "cache_read_input_tokens");
  const cacheWrite = readCount(usage, "cache_creation_input_tokens");
  Object.assign(answer.usage, defined({ input, cacheRead, cacheWrite }));
}

const stops = { end_turn: "end", stop_sequence: "end", refusal: "refused" };

const statuses: Readonly<Record<string, number>> = {
  overloaded_error: 529,
  rate_limit_error: 429,
  timeout_error: 504,
};

function statusOf(type: string): number {
  return Object.hasOwn(statuses, type) ? (statuses[type] ?? 500) : 500;
}
