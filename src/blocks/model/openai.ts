import type { Value } from "../../expression/value.ts";
import { defined } from "../../util/defined.ts";
import { type AnswerSoFar, type ModelCall, type ModelProvider, nameStop } from "./model-provider.ts";
import { readCount, readField, readText } from "./read-field.ts";

/** Chat Completions, which many others speak as well. */
const chatCompletions = {
  path: "/chat/completions",
  lastData: "[DONE]",
  headers: (key: string | undefined) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
  read,
};

export const openai: ModelProvider = {
  ...chatCompletions,
  name: "openai",
  baseUrl: "https://api.openai.com/v1",
  usualKey: "OPENAI_API_KEY",
  body: (call) => ({ ...bodyOf(call), max_completion_tokens: call.maxTokens }),
};

/** What runs on this machine seldom has a key, and knows the older name of the limit. */
export const openaiCompatible: ModelProvider = {
  ...chatCompletions,
  name: "openai-compatible",
  body: (call) => ({ ...bodyOf(call), max_tokens: call.maxTokens }),
};

function bodyOf({ model, system, messages, temperature }: ModelCall): object {
  const first = system === undefined ? [] : [{ role: "system", content: system }];
  return {
    model,
    ...defined({ temperature }),
    messages: [...first, ...messages],
    stream: true,
    stream_options: { include_usage: true },
  };
}

function read(data: Value, answer: AnswerSoFar): void {
  const error = readField(data, "error") ?? null;
  if (error !== null) {
    const message = readText(error, "message") ?? (typeof error === "string" ? error : "an error without a message");
    answer.failure = { message, status: statusOf(error) };
    return;
  }
  const refusal = readText(data, "choices", 0, "delta", "refusal") ?? "";
  answer.text += (readText(data, "choices", 0, "delta", "content") ?? "") + refusal;
  const stop = nameStop(readText(data, "choices", 0, "finish_reason"), stops);
  Object.assign(answer, defined({ model: readText(data, "model"), stopReason: stop }));
  if (refusal !== "") answer.isRefused = true;
  addUsage(readField(data, "usage"), answer);
}

/** Some servers give the status itself, others a word. */
function statusOf(error: Value): number {
  const words = `${readText(error, "type") ?? ""} ${readText(error, "code") ?? ""}`;
  if (/rate_limit/.test(words)) return 429;
  return readCount(error, "code") ?? (/overloaded|unavailable/.test(words) ? 503 : 500);
}

const stops = { stop: "end", length: "max_tokens", content_filter: "refused" };

/** What is read from a cache, or written to one, counts as input there, and here it does not. */
function addUsage(usage: Value = null, answer: AnswerSoFar): void {
  const all = readCount(usage, "prompt_tokens");
  const cacheRead = readCount(usage, "prompt_tokens_details", "cached_tokens");
  const cacheWrite = readCount(usage, "prompt_tokens_details", "cache_write_tokens");
  const input = all === undefined ? undefined : Math.max(0, all - (cacheRead ?? 0) - (cacheWrite ?? 0));
  const output = readCount(usage, "completion_tokens");
  Object.assign(answer.usage, defined({ input, cacheRead, cacheWrite, output }));
}
