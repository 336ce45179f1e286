import type { Value } from "../../expression/value.ts";
import type { Usage } from "./model-cost.ts";

/** What a model is asked, whoever provides it. */
export interface ModelCall {
  /** Without the name of the provider. */
  readonly model: string;
  readonly system?: string;
  /** Of the user and of the model, in turn; the last is the user's. */
  readonly messages: readonly ModelMessage[];
  readonly maxTokens: number;
  readonly temperature?: number;
}

export interface ModelMessage {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** What has come of an answer so far. */
export interface AnswerSoFar {
  text: string;
  /** As the provider calls what has answered. */
  model?: string;
  /** `end`, `max_tokens` or `refused`; any other is in the provider's own words. */
  stopReason?: string;
  /** As far as it was told. */
  usage: Partial<Usage>;
  /** What came is the model's reason not to answer. */
  isRefused?: true;
  /** The event that ends the answer has come. */
  isComplete: boolean;
  failure?: StreamFailure;
}

/** A failure that the provider tells in the midst of its answer, when it is too late for a status of HTTP. */
export interface StreamFailure {
  readonly message: string;
  /** The status that it would have had. */
  readonly status: number;
}

/** Who provides models: how they are asked over HTTP, and how their answers are read. */
export interface ModelProvider {
  /** What stands before the slash in `model`. */
  readonly name: string;
  /** Without it, the block has to say. */
  readonly baseUrl?: string;
  /** The secret that the key is usually called by; without it, a key may be left out. */
  readonly usualKey?: string;
  /** Appended to the base. */
  readonly path: string;
  headers(key: string | undefined): Readonly<Record<string, string>>;
  body(call: ModelCall): object;
  /** Adds what an event tells to the answer. */
  read(data: Value, answer: AnswerSoFar): void;
  /** Data that ends the answer and is no JSON. */
  readonly lastData?: string;
}

/** The same words for the same reasons; others are left as they are. */
export function nameStop(reason: string | undefined, words: Readonly<Record<string, string>>): string | undefined {
  if (reason === undefined) return undefined;
  return Object.hasOwn(words, reason) ? words[reason] : reason;
}
