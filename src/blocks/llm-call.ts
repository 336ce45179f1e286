import * as z from "zod";
import { BlockCannotRun, type BlockContext, type BlockResult, type BlockType } from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import type { Cost, Prices } from "../block/spend.ts";
import type { Value, ValueMap } from "../expression/value.ts";
import { defined } from "../util/defined.ts";
import { headerValueProblem } from "./http/request-headers.ts";
import { type AskedModel, askModel, type ModelRequest } from "./model/ask-model.ts";
import { checkLlmCall } from "./model/check-llm-call.ts";
import { type AnswerShape, instructionsFor, longestRepairRequest, repairRequest, shapeOf } from "./model/fit-answer.ts";
import { allInput, costOf, mostUsage } from "./model/model-cost.ts";
import type { ModelCall, ModelMessage } from "./model/model-provider.ts";
import { findMissing, findModel } from "./model/providers.ts";

const inputs = () =>
  z.strictObject({
    prompt: z.string().min(1).describe("What the model is asked"),
    system: z.string().optional().describe("How it is to answer: the system prompt"),
    model: z
      .string()
      .min(1)
      .describe("Who provides it and its name: anthropic/NAME, openai/NAME, or openai-compatible/NAME with base_url"),
    schema: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("JSON Schema that the answer must fit; one that does not is sent back once, which costs a second call"),
    max_tokens: z
      .number()
      .int()
      .min(1)
      .max(1_000_000)
      .default(8192)
      .describe("The most that the answer may have, with what the model thinks before it"),
    temperature: z.number().min(0).max(2).optional().describe("Sent only if it is given: some models refuse it"),
    api_key: z
      .string()
      .nullish()
      .describe("The key, as ${secrets.NAME} and in no other way; openai-compatible may do without one"),
    base_url: z
      .string()
      .optional()
      .describe("Where the API is, up to what comes before /messages or /chat/completions: http://localhost:11434/v1"),
    allow_private: z
      .boolean()
      .default(false)
      .describe("Allow addresses of this machine, of private networks and the like"),
  });

const outputs = () =>
  z.strictObject({
    text: z.string().describe("The answer"),
    json: z.unknown().describe("With a schema: the answer as a value that fits it; else null"),
    tokens_in: z
      .number()
      .int()
      .nullable()
      .describe("Tokens of the input, of both calls if there were two; null if unknown"),
    tokens_out: z.number().int().nullable().describe("Tokens of the answer, with what was thought; null if unknown"),
    cost_usd: z.number().nullable().describe("In US dollars, by the prices that Frond knows; null if unknown"),
    model: z.string().describe("What has answered, as its provider calls it"),
    stop_reason: z.string().describe("end, max_tokens, refused, or the provider's own word for another reason"),
    status_code: z.number().int().describe("Of HTTP; 0 when there was no answer, or not to its end"),
  });

type LlmCallInputs = InputsOf<typeof inputs>;

const noAnswer: ValueMap = {
  ...{ text: "", json: null, tokens_in: null, tokens_out: null, cost_usd: null },
  ...{ model: "", stop_reason: "", status_code: 0 },
};

export const llmCall: BlockType = defineLeaf({
  type: "LLMCall",
  summary: "Asks a language model once; its answer is text, or a value that fits a schema.",
  inputs,
  outputs,
  otherNames: {
    ...{ message: "prompt", question: "prompt", user: "prompt", input: "prompt", instructions: "system" },
    ...{ system_prompt: "system", key: "api_key", url: "base_url", endpoint: "base_url" },
    ...{ response_format: "schema", json_schema: "schema", max_output_tokens: "max_tokens" },
  },
  secretInputs: ["api_key"],
  onlySecretInputs: ["api_key"],
  defaultOutputs: noAnswer,
  stateOutputs: { status_code: 200 },
  defaultTimeout: 600,
  // Overload and rate limits cost nothing; what they ask for by Retry-After is waited for. Attempts show it, and a budget sees each.
  defaultRetry: { attempts: 3, delay: 2, statusCodes: [429, 503, 529] },
  capabilities: ["network"],
  undo: "not_needed",
  // It changes nothing, so asking again does no harm but its price, and a budget counts the interrupted attempt in full.
  onInterrupted: "rerun",
  check: checkLlmCall,
  estimate,
  run,
});

async function run(input: LlmCallInputs, context: BlockContext): Promise<BlockResult> {
  const shape = input.schema === undefined ? undefined : shapeOf(input.schema as ValueMap);
  const request = requestOf(input, shape);
  const first = await askModel(request, context);
  const read = readAnswer([first], shape, input, context);
  if (read.repair === undefined) return read.result;
  // Lines are shown whole: an answer without a line break at its end would come after this, and together with the next.
  if (!first.answer.text.endsWith("\n")) context.log("stdout", Buffer.from("\n"));
  context.log("stderr", Buffer.from(`The answer does not fit, so the model is asked once more: ${read.repair}\n`));
  const said: ModelMessage[] = [
    { role: "assistant", content: first.answer.text },
    { role: "user", content: repairRequest(read.repair) },
  ];
  const { call } = request;
  const second = await askModel({ ...request, call: { ...call, messages: [...call.messages, ...said] } }, context);
  return readAnswer([first, second], shape, input, context).result;
}

function requestOf(input: LlmCallInputs, shape: AnswerShape | undefined): ModelRequest {
  const model = findModel(input.model);
  if (!model.ok) throw new BlockCannotRun(`${model.error}.`);
  const { provider, name } = model.value;
  // Secrets from files and shells often end with a line break.
  const key = input.api_key?.trim() || undefined;
  const missing = findMissing(model.value, { key: key !== undefined, baseUrl: Boolean(input.base_url) });
  if (missing !== undefined) throw new BlockCannotRun(`${missing.message} ${missing.fix}`);
  if (key !== undefined && headerValueProblem("api_key", key) !== undefined)
    throw new BlockCannotRun("The api_key holds a character that no key can hold.");
  return {
    provider,
    fullName: `${provider.name}/${name}`,
    baseUrl: input.base_url || (provider.baseUrl ?? ""),
    allowPrivate: input.allow_private,
    call: callOf(input, name, shape?.instructions),
    ...defined({ key }),
  };
}

function callOf(input: LlmCallInputs, model: string, instructions: string | undefined): ModelCall {
  const system = [input.system, instructions].filter((text) => text !== undefined && text !== "").join("\n\n");
  return {
    model,
    messages: [{ role: "user", content: input.prompt }],
    maxTokens: input.max_tokens,
    ...(system === "" ? {} : { system }),
    ...defined({ temperature: input.temperature }),
  };
}

interface ReadAnswer {
  readonly result: BlockResult;
  /** What does not fit, where the model may be told so. */
  readonly repair?: string;
}

/** What comes of the last answer; tokens and cost are those of all. */
function readAnswer(
  asked: readonly AskedModel[],
  shape: AnswerShape | undefined,
  { max_tokens: maxTokens, model }: LlmCallInputs,
  { prices }: BlockContext,
): ReadAnswer {
  const last = asked.at(-1) as AskedModel;
  const { answer, failure } = last;
  const made = { ...outputsOf(last), ...sumOf(asked, prices.of(model)) };
  const failed = (message: string): ReadAnswer => ({ result: { kind: "failed", message, outputs: made } });
  if (failure?.isRefused) throw new BlockCannotRun(failure.message);
  if (failure !== undefined) {
    const { message, retryAfterMs } = failure;
    return { result: { kind: "failed", message, outputs: made, ...defined({ retryAfterMs }) } };
  }
  if (made.stop_reason === "refused") return failed("The model refused to answer.");
  const isCut = made.stop_reason === "max_tokens";
  if (answer.text.trim() === "") {
    return failed(
      isCut ? `All of max_tokens (${maxTokens}) was used before any text came.` : "The model gave no text.",
    );
  }
  if (shape === undefined) return { result: { kind: "succeeded", outputs: made } };
  const fitting = shape.check(answer.text);
  if (fitting.ok) return { result: { kind: "succeeded", outputs: { ...made, json: fitting.value } } };
  if (isCut) return failed(`The answer was cut at max_tokens (${maxTokens}), so it does not fit the schema.`);
  if (asked.length > 1) return failed(`The answer does not fit the schema, after one correction: ${fitting.error}.`);
  return { ...failed(fitting.error), repair: fitting.error };
}

function outputsOf({ answer, status }: AskedModel): { readonly stop_reason: string; readonly [name: string]: Value } {
  const { text, model = "", stopReason = "", isRefused } = answer;
  return { ...noAnswer, text, model, stop_reason: isRefused ? "refused" : stopReason, status_code: status };
}

/** A sum of which a part is unknown is unknown. */
function sumOf(asked: readonly AskedModel[], price: ReturnType<Prices["of"]>): ValueMap {
  const usages = asked.map(({ answer }) => answer.usage);
  const sum = (values: readonly (number | undefined)[]): number | null =>
    values.reduce<number | null>((total, value) => (total === null || value === undefined ? null : total + value), 0);
  const isTold = usages.every(({ input, output }) => input !== undefined && output !== undefined);
  return {
    tokens_in: sum(usages.map((usage) => (usage.input === undefined ? undefined : allInput(usage)))),
    tokens_out: sum(usages.map(({ output }) => output)),
    cost_usd: isTold ? sum(usages.map((usage) => costOf(usage, price).usd)) : null,
  };
}

/** With a schema there may be a second call, which is told the first answer and what is wrong with it. */
function estimate(input: ValueMap, prices: Prices): Cost | undefined {
  const given = input as unknown as LlmCallInputs;
  const instructions = given.schema === undefined ? undefined : instructionsFor(given.schema as ValueMap);
  const call = callOf(given, given.model, instructions);
  const first = mostUsage(call);
  const price = prices.of(given.model);
  if (instructions === undefined) return costOf(first, price);
  const said: ModelMessage[] = [
    { role: "assistant", content: "" },
    { role: "user", content: longestRepairRequest },
  ];
  const repaired = mostUsage({ ...call, messages: [...call.messages, ...said] });
  const second = { ...repaired, cacheWrite: repaired.cacheWrite + given.max_tokens };
  const [one, other] = [costOf(first, price), costOf(second, price)];
  const tokens = (one.tokens ?? 0) + (other.tokens ?? 0);
  return one.usd === undefined || other.usd === undefined ? { tokens } : { usd: one.usd + other.usd, tokens };
}
