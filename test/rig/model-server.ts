import type { ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { openServer, type TestServer } from "./http-server.ts";

/** What a scripted model does with one request. */
export type ModelReply =
  /** An answer to its end. */
  | (Said & { readonly kind: "say" })
  /** The same without its last event: the connection is closed, in order or not. */
  | (Said & { readonly kind: "cut"; readonly how: "closed" | "broken" })
  /** The same, and then nothing more, on a connection that stays open. */
  | (Said & { readonly kind: "hang" })
  /** A failure in the midst of an answer. */
  | (Said & { readonly kind: "fail"; readonly error: string })
  /** No answer at all. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body: string;
    };

export interface Said {
  readonly text: string;
  readonly tokensIn?: number;
  readonly tokensOut?: number;
  /** In the provider's words. */
  readonly stop?: string;
  /** Whether tokens are counted. */
  readonly hasUsage?: boolean;
  /** How long the pieces are that it is sent in, in bytes, one after the other; else an event is a piece. */
  readonly pieces?: readonly number[];
}

export function say(text: string, more: Omit<Said, "text"> = {}): ModelReply {
  return { kind: "say", text, ...more };
}

/** As both providers tell of it. */
export function overloaded(status: 429 | 503 | 529, retryAfter?: string): ModelReply {
  const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
  return { kind: "status", status, headers, body: '{"error": {"type": "overloaded_error", "message": "Overloaded"}}' };
}

export interface ModelServer extends TestServer {
  /** To be given as `base_url`. */
  readonly baseUrl: string;
  /** The bodies of all requests. */
  readonly calls: readonly ModelCallSeen[];
}

export interface ModelCallSeen {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly [field: string]: unknown;
}

/** A model on this machine that answers in both wire formats, by the path that is called; closed with the test. */
export async function serveModel(...script: readonly ModelReply[]): Promise<ModelServer> {
  const server = await openModel(...script);
  onTestFinished(() => server.close());
  return server;
}

/** The same for those who close it themselves. The last reply of the script is given again and again. */
export async function openModel(...script: readonly ModelReply[]): Promise<ModelServer> {
  let next = 0;
  const server = await openServer((request, response) => {
    const reply = script[Math.min(next++, script.length - 1)] as ModelReply;
    const wire = request.url?.endsWith("/messages") ? anthropicEvents : openaiEvents;
    void replyWith(reply, wire, response);
  });
  return Object.create(server, {
    baseUrl: { value: `${server.url}/v1` },
    calls: { get: () => server.requests.map(({ body }) => JSON.parse(body) as ModelCallSeen) },
  }) as ModelServer;
}

async function replyWith(reply: ModelReply, wire: Wire, response: ServerResponse): Promise<void> {
  if (reply.kind === "status") {
    response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers }).end(reply.body);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const { begin, last } = wire(reply);
  const failure = reply.kind === "fail" ? [wire(reply).failure(reply.error)] : [];
  const events = reply.kind === "say" ? [...begin, ...last] : [...begin, ...failure];
  for (const piece of piecesOf(events, reply.pieces)) await sent(response, piece);
  if (reply.kind === "hang") return;
  if (reply.kind === "cut" && reply.how === "broken") response.destroy();
  else response.end();
}

/** Until the bytes are with the system: a piece of its own in most cases. */
async function sent(response: ServerResponse, piece: Uint8Array): Promise<void> {
  await new Promise((resolve) => response.write(piece, resolve));
}

function piecesOf(events: readonly string[], lengths: readonly number[] = []): Uint8Array[] {
  if (lengths.length === 0) return events.map((event) => Buffer.from(event));
  const all = Buffer.from(events.join(""));
  const pieces: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < all.length; turn++) {
    const length = lengths[turn % lengths.length] as number;
    pieces.push(all.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

type Wire = (said: Said) => {
  readonly begin: readonly string[];
  readonly last: readonly string[];
  failure(type: string): string;
};

/** What a model says comes in pieces of a few characters. */
function deltasOf(text: string): string[] {
  return text.match(/[\s\S]{1,5}/gu) ?? [];
}

export const anthropicEvents: Wire = (said) => {
  const { text, tokensIn = 10, tokensOut = 5, stop = "end_turn", hasUsage = true } = said;
  const event = (type: string, data: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const start = {
    ...{ id: "msg_1", type: "message", role: "assistant", model: "scripted-1" },
    ...{ content: [], stop_reason: null, stop_sequence: null },
    usage: { input_tokens: tokensIn, output_tokens: 1, cache_read_input_tokens: null },
  };
  return {
    begin: [
      event("message_start", { message: hasUsage ? start : { ...start, usage: undefined } }),
      event("ping", {}),
      event("content_block_start", { index: 0, content_block: { type: "thinking", thinking: "" } }),
      event("content_block_delta", { index: 0, delta: { type: "thinking_delta", thinking: "hmm" } }),
      event("content_block_delta", { index: 0, delta: { type: "signature_delta", signature: "c2ln" } }),
      event("content_block_stop", { index: 0 }),
      event("content_block_start", { index: 1, content_block: { type: "text", text: "" } }),
      ...deltasOf(text).map((part) =>
        event("content_block_delta", { index: 1, delta: { type: "text_delta", text: part } }),
      ),
    ],
    last: [
      event("content_block_stop", { index: 1 }),
      event("message_delta", {
        delta: { stop_reason: stop, stop_sequence: null },
        ...(hasUsage ? { usage: { input_tokens: null, output_tokens: tokensOut } } : {}),
      }),
      event("message_stop", {}),
    ],
    failure: (type) => event("error", { error: { type, message: "It broke" } }),
  };
};

export const openaiEvents: Wire = (said) => {
  const { text, tokensIn = 10, tokensOut = 5, stop = "stop", hasUsage = true } = said;
  const chunk = (data: object): string =>
    `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "scripted-1", ...data })}\n\n`;
  const delta = (content: object, finish: string | null = null): string =>
    chunk({ choices: [{ index: 0, delta: content, finish_reason: finish }] });
  const usage = { prompt_tokens: tokensIn, completion_tokens: tokensOut, total_tokens: tokensIn + tokensOut };
  return {
    begin: [delta({ role: "assistant", content: "" }), ...deltasOf(text).map((part) => delta({ content: part }))],
    last: [delta({}, stop), ...(hasUsage ? [chunk({ choices: [], usage })] : []), "data: [DONE]\n\n"],
    failure: (type) => chunk({ error: { type, message: "It broke" } }),
  };
};
