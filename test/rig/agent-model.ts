import type { ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { openServer, type TestServer } from "./http-server.ts";

/** What a scripted model that works with tools does with one request. */
export type AgentStep =
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "use"; readonly tool: string; readonly input: object }
  | { readonly kind: "refuse"; readonly status: number; readonly retryAfter?: string }
  /** Never answers. */
  | { readonly kind: "hang" };

/** What each request is said to have used; of the input, 20 come from a cache, and Anthropic has put 10 there. */
const usedPerStep = { input: 100, cacheRead: 20, cacheWrite: 10, output: 50 };

/**
 * A model on this machine as coding agents call one: with tools, by Anthropic's Messages or OpenAI's Responses, told by the path. Closed with
 * the test. What comes after the script is answered with `done`; so are requests without tools, which agents make for themselves.
 */
export async function serveAgentModel(...script: readonly AgentStep[]): Promise<TestServer> {
  let next = 0;
  const server = await openServer((request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    const wire = wires.find(([end]) => path.endsWith(end))?.[1];
    if (wire === undefined) return response.writeHead(404).end("{}");
    const body = JSON.parse(server.requests.at(-1)?.body ?? "{}") as { readonly tools?: readonly unknown[] };
    const isAside = path.endsWith("/messages") && (body.tools ?? []).length === 0;
    const step = isAside ? done : (script[next++] ?? done);
    answer(step, wire, `${next}`, response);
  });
  onTestFinished(() => server.close());
  return server;
}

const done: AgentStep = { kind: "say", text: "done" };

function answer(step: AgentStep, wire: Wire, id: string, response: ServerResponse): void {
  if (step.kind === "hang") return;
  if (step.kind === "refuse") {
    const headers = step.retryAfter === undefined ? {} : { "retry-after": step.retryAfter };
    response.writeHead(step.status, { "content-type": "application/json", ...headers });
    response.end('{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}');
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of wire(step, id)) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

type Answer = Extract<AgentStep, { kind: "say" | "use" }>;
type Wire = (step: Answer, id: string) => readonly { readonly type: string }[];

const messages: Wire = (step, id) => {
  const isText = step.kind === "say";
  const block = isText
    ? { type: "text", text: "" }
    : { type: "tool_use", id: `toolu_${id}`, name: step.tool, input: {} };
  const delta = isText
    ? { type: "text_delta", text: step.text }
    : { type: "input_json_delta", partial_json: JSON.stringify(step.input) };
  const { input, cacheRead, cacheWrite, output } = usedPerStep;
  const usage = {
    ...{ input_tokens: input, output_tokens: 1 },
    ...{ cache_read_input_tokens: cacheRead, cache_creation_input_tokens: cacheWrite },
  };
  const message = { id: `msg_${id}`, type: "message", role: "assistant", model: "scripted", content: [], usage };
  return [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: isText ? "end_turn" : "tool_use", stop_sequence: null },
      usage: { output_tokens: output },
    },
    { type: "message_stop" },
  ] as const;
};

const responses: Wire = (step, id) => {
  const item =
    step.kind === "say"
      ? { type: "message", role: "assistant", id: `m${id}`, content: [{ type: "output_text", text: step.text }] }
      : {
          ...{ type: "function_call", id: `f${id}`, call_id: `call_${id}` },
          ...{ name: step.tool, arguments: JSON.stringify(step.input) },
        };
  const { input, cacheRead, output } = usedPerStep;
  const usage = {
    ...{ input_tokens: input, input_tokens_details: { cached_tokens: cacheRead } },
    ...{ output_tokens: output, output_tokens_details: { reasoning_tokens: 5 }, total_tokens: input + output },
  };
  return [
    { type: "response.created", response: { id: `resp_${id}` } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id: `resp_${id}`, output: [item], usage } },
  ] as const;
};

const wires: readonly (readonly [end: string, wire: Wire])[] = [
  ["/messages", messages],
  ["/responses", responses],
];
