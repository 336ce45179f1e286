import type { BlockContext } from "../../block/define-block.ts";
import type { HttpHead, HttpProblem, HttpRequest, HttpResponse, TakeChunk } from "../../block/ports.ts";
import { toValue, type Value } from "../../expression/value.ts";
import { defined } from "../../util/defined.ts";
import type { Result } from "../../util/result.ts";
import { explainStatus, readAnswer } from "../http/read-answer.ts";
import { readRetryAfter } from "../http/retry-after.ts";
import { EventStream, type ServerEvent } from "./event-stream.ts";
import { coverUnknown, mostUsage, SpendMeter } from "./model-cost.ts";
import type { AnswerSoFar, ModelCall, ModelProvider } from "./model-provider.ts";
import { readText } from "./read-field.ts";

export interface ModelRequest {
  readonly provider: ModelProvider;
  /** As prices are looked up by: with the provider. */
  readonly fullName: string;
  readonly baseUrl: string;
  readonly key?: string;
  readonly allowPrivate: boolean;
  readonly call: ModelCall;
}

export interface AskedModel {
  /** What came of the answer, also where it failed. */
  readonly answer: AnswerSoFar;
  /** Of HTTP; 0 when there was no answer to the end. */
  readonly status: number;
  readonly failure?: ModelFailure;
}

export interface ModelFailure {
  readonly message: string;
  readonly retryAfterMs?: number;
  /** Nothing was asked: it breaks a rule. */
  readonly isRefused?: true;
}

/** Each token comes in an event of its own, which takes some 200 bytes. */
const mostStreamBytes = 100_000_000;

/**
 * Asks a model once. The answer shows in the block's log as it comes, and what it costs is told as soon as it is known; what the
 * provider has not told when its answer ends counts as the most that it can be.
 */
export async function askModel(request: ModelRequest, context: BlockContext): Promise<AskedModel> {
  const { provider, call, fullName } = request;
  const answer: AnswerSoFar = { text: "", usage: {}, isComplete: false };
  const meter = new SpendMeter(context.prices.of(fullName), context.spend);
  let hasBegun = false;
  const said: Uint8Array[] = [];
  const response = await context.http.request({
    ...requestOf(request, context.signal),
    streamBody(head) {
      hasBegun = head.status === 200;
      if (!isStream(head)) return keepBeginning(said);
      return followStream(provider, answer, (text) => {
        if (text !== "") context.log("stdout", Buffer.from(text));
        meter.tell(answer.usage);
      });
    },
  });
  if (hasBegun) meter.tell(coverUnknown(answer.usage, mostUsage(call)));
  // Who is turned away has nothing to pay, whatever the author says that a call costs.
  else if (response.ok) context.spend({ usd: 0, tokens: 0 });
  if (answer.isComplete) return { answer, status: 200 };
  if (answer.failure !== undefined) return failedInside(answer, provider);
  if (response.ok && !isStream(response.value))
    return notAnswered(answer, { ...response.value, body: Buffer.concat(said) }, context.clock.now());
  if (hasBegun || response.ok) return cutOff(answer, response);
  const { kind, message } = response.error;
  return { answer, status: 0, failure: { message, ...(kind === "refused" ? { isRefused: true } : {}) } };
}

/** Adds to the answer what comes, until its end; what is new in its text is told after each piece. */
function followStream(provider: ModelProvider, answer: AnswerSoFar, onPiece: (text: string) => void): TakeChunk {
  const events = new EventStream();
  return (chunk) => {
    const before = answer.text.length;
    for (const event of events.push(chunk)) takeEvent(event, provider, answer);
    onPiece(answer.text.slice(before));
    return answer.isComplete || answer.failure !== undefined ? "enough" : "more";
  };
}

/** Some servers leave the type out or call it otherwise; what is no stream has another one. */
function isStream({ status, headers }: HttpHead): boolean {
  return status === 200 && !/json|html/i.test(String(headers["content-type"] ?? ""));
}

/** As much as it takes to say what went wrong. */
const mostSaid = 65_536;

function keepBeginning(said: Uint8Array[]): TakeChunk {
  let length = 0;
  return (chunk) => {
    said.push(Buffer.from(chunk));
    length += chunk.length;
    return length < mostSaid ? "more" : "enough";
  };
}

function requestOf({ provider, baseUrl, key, allowPrivate, call }: ModelRequest, signal: AbortSignal): HttpRequest {
  return {
    method: "POST",
    url: `${baseUrl.replace(/\/+$/, "")}${provider.path}`,
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream",
      // What is compressed may be held back until there is enough of it.
      "accept-encoding": "identity",
      ...provider.headers(key),
    },
    body: Buffer.from(JSON.stringify(provider.body(call))),
    followRedirects: false,
    allowPrivate,
    maxBytes: mostStreamBytes,
    signal,
  };
}

function takeEvent({ data }: ServerEvent, provider: ModelProvider, answer: AnswerSoFar): void {
  if (answer.isComplete || answer.failure !== undefined) return;
  if (data === provider.lastData) {
    answer.isComplete = true;
    return;
  }
  const parsed = parse(data);
  if (parsed === undefined) answer.failure = { message: "it sent an event that is not JSON", status: 502 };
  else provider.read(parsed, answer);
}

function parse(text: string): Value | undefined {
  try {
    const value = toValue(JSON.parse(text));
    return value.ok ? value.value : undefined;
  } catch {
    return undefined;
  }
}

function failedInside(answer: AnswerSoFar, { name }: ModelProvider): AskedModel {
  const { message = "", status = 0 } = answer.failure ?? {};
  return { answer, status, failure: { message: `${name} failed after ${countOf(answer)}: ${message}` } };
}

/** Whatever came may lack its end, and nobody could tell. */
function cutOff(answer: AnswerSoFar, response: Result<unknown, HttpProblem>): AskedModel {
  const why = response.ok ? "" : `: ${response.error.message}`;
  return { answer, status: 0, failure: { message: `stream cut after ${countOf(answer)}${why}` } };
}

function countOf({ text }: AnswerSoFar): string {
  const { length } = [...text];
  return length === 1 ? "one character" : `${length} characters`;
}

function notAnswered(answer: AnswerSoFar, response: HttpResponse, now: Date): AskedModel {
  const { status } = response;
  const read = readAnswer(response);
  const said = readText(read.json ?? null, "error", "message");
  const words = explainStatus(response, said === undefined ? read : { body: said, json: null });
  if (status === 200) {
    const message = `No stream of events came: ${words}. Does base_url lead to the API, with its version, such as /v1?`;
    return { answer, status: 0, failure: { message } };
  }
  const hint = hintAt(response);
  const retryAfterMs = readRetryAfter(response.headers, now);
  return { answer, status, failure: { message: `${words}${hint}`, ...defined({ retryAfterMs }) } };
}

function hintAt({ status, headers }: HttpResponse): string {
  if (status === 401 || status === 403) return ". Is the secret that api_key names the right one?";
  if (status === 404) return ". Is base_url right, with its version, such as /v1?";
  const { location } = headers;
  if (status < 300 || status >= 400 || typeof location !== "string") return "";
  return `. It leads to ${location}, where no key is taken to: if that is right, write it as base_url.`;
}
