import * as z from "zod";
import { BlockCannotRun, type BlockContext, type BlockResult, type BlockType } from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import type { HttpRequest } from "../block/ports.ts";
import { formatValue } from "../expression/format-value.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import { defined } from "../util/defined.ts";
import { readWebAddress } from "../util/web-address.ts";
import { checkHttpCall } from "./http/check-http-call.ts";
import { explainStatus, readAnswer } from "./http/read-answer.ts";
import { readHeaders } from "./http/request-headers.ts";
import { readRetryAfter } from "./http/retry-after.ts";
import { textInput } from "./text-input.ts";

const inputs = () =>
  z.strictObject({
    url: z.string().min(1).describe("Address to call: http:// or https://, without a user name or password"),
    method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]).default("GET").describe("HTTP method"),
    headers: z.record(z.string(), textInput()).default({}).describe("Headers to send"),
    query: z
      .record(z.string(), z.union([textInput(), z.array(textInput())]))
      .default({})
      .describe("Appended to the query of the url, encoded; a list is one parameter per element"),
    json: z.unknown().optional().describe("Sent as JSON; not together with body"),
    body: z.string().optional().describe("Sent as it is, in UTF-8; not together with json"),
    follow_redirects: z
      .boolean()
      .default(true)
      .describe("Follow up to 10 redirects; credentials, secrets and bodies are not taken to another origin"),
    allow_private: z
      .boolean()
      .default(false)
      .describe("Allow addresses of this machine, of private networks and the like"),
  });

const outputs = () =>
  z.strictObject({
    status_code: z.number().int().describe("Of the answer; 0 when there was none"),
    headers: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .describe("Of the answer, names in lower case; set-cookie is a list"),
    body: z.string().describe("The answer as text, in its character set or UTF-8; one of more than 10 MB is a failure"),
    json: z.unknown().describe("The answer parsed, when its content type is JSON and it is valid; else null"),
  });

/** Decompressed. */
const mostAnswerBytes = 10_000_000;
const noAnswer: ValueMap = { status_code: 0, headers: {}, body: "", json: null };

export const httpCall: BlockType = defineLeaf({
  type: "HttpCall",
  summary: "Calls an address over HTTP; it succeeds when the status is below 400. Private addresses must be allowed.",
  inputs,
  outputs,
  otherNames: {
    ...{ uri: "url", address: "url", endpoint: "url", verb: "method" },
    ...{ params: "query", query_params: "query", data: "json", payload: "json" },
  },
  secretInputs: ["headers", "json", "body"],
  defaultOutputs: noAnswer,
  stateOutputs: { status_code: 200 },
  defaultTimeout: 30,
  timeoutInput: { name: "timeout", unit: "s" },
  capabilities: ["network"],
  // What only reads has nothing to take back.
  undo: ({ method = { known: true, value: "GET" } }) =>
    method.known && changesNothing(method.value) ? "not_needed" : "irreversible",
  onInterrupted: ({ method }) => (changesNothing(method) ? "rerun" : "ask"),
  check: checkHttpCall,
  run,
  // What the server said is lost; that it went well is what somebody says.
  adopt: async () => ({ kind: "succeeded", outputs: { ...noAnswer, status_code: 200 } }),
});

type HttpCallInputs = InputsOf<typeof inputs>;

/** Methods that HTTP calls safe: asking twice is asking once. */
function changesNothing(method: Value | undefined): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

async function run(input: HttpCallInputs, context: BlockContext): Promise<BlockResult> {
  const answer = await context.http.request(requestOf(input, context));
  if (!answer.ok) {
    const { kind, message } = answer.error;
    if (kind === "refused") throw new BlockCannotRun(message);
    return { kind: "failed", message, outputs: noAnswer };
  }
  const made = readAnswer(answer.value);
  if (answer.value.status < 400) return { kind: "succeeded", outputs: made };
  const retryAfterMs = readRetryAfter(answer.value.headers, context.clock.now());
  return {
    kind: "failed",
    message: explainStatus(answer.value, made),
    outputs: made,
    ...defined({ retryAfterMs }),
  };
}

function requestOf(input: HttpCallInputs, { idempotencyKey, signal }: BlockContext): HttpRequest {
  const { method, follow_redirects: followRedirects, allow_private: allowPrivate } = input;
  const content = contentOf(input);
  const headers = readHeaders(input.headers);
  if (!headers.ok) throw new BlockCannotRun(headers.error);
  return {
    method,
    url: addressOf(input),
    headers: {
      ...(content === undefined ? {} : { "content-type": content.type }),
      ...(changesNothing(method) ? {} : { "idempotency-key": idempotencyKey }),
      ...headers.value,
    },
    ...(content === undefined ? {} : { body: Buffer.from(content.text) }),
    followRedirects,
    allowPrivate,
    maxBytes: mostAnswerBytes,
    signal,
  };
}

function contentOf(input: HttpCallInputs): { readonly type: string; readonly text: string } | undefined {
  const isJson = Object.hasOwn(input, "json");
  if (isJson && input.body !== undefined) throw new BlockCannotRun("HttpCall takes either json or body, not both.");
  if (isJson) return { type: "application/json", text: JSON.stringify(input.json) };
  return input.body === undefined ? undefined : { type: "text/plain; charset=utf-8", text: input.body };
}

function addressOf({ url, query }: HttpCallInputs): string {
  const address = readWebAddress(url);
  if (!address.ok) throw new BlockCannotRun(`The url can't be called: ${address.error}.`);
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) added.append(name, formatValue(item));
  }
  // Everybody reads %20 as a blank; + only those who know forms. The url's own query stays as it is written.
  const encoded = added.toString().replaceAll("+", "%20");
  const own = address.value.search.replace(/^\?/, "");
  address.value.search = [own, encoded].filter(Boolean).join("&");
  return address.value.href;
}
