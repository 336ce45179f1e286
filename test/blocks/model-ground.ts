import type { ModelPrice, Spend } from "../../src/block/spend.ts";
import type { Execution } from "../../src/engine/execution.ts";
import type { ValueMap } from "../../src/expression/value.ts";
import { createTestEngine, type TestRun } from "../rig/engine.ts";
import type { ModelServer } from "../rig/model-server.ts";
import { waitFor } from "../rig/wait-for.ts";

export interface WrittenCall {
  readonly inputs: object;
  readonly [key: string]: unknown;
}

export const modelKey: string = "sk-kanarienvogel-3f9a7c55";

/** Each that needs a key, with where it puts it. */
export const providers: readonly TestedProvider[] = [
  { name: "anthropic", block: anthropicBlock, keyHeader: "x-api-key", key: modelKey },
  { name: "openai", block: openaiBlock, keyHeader: "authorization", key: `Bearer ${modelKey}` },
];

interface TestedProvider {
  readonly name: string;
  readonly keyHeader: string;
  readonly key: string;
  block(server: ModelServer, inputs?: object): WrittenCall;
}

export function anthropicBlock(server: ModelServer, inputs: object = {}): WrittenCall {
  return blockOf("anthropic/m", server, inputs);
}

function openaiBlock(server: ModelServer, inputs: object = {}): WrittenCall {
  return blockOf("openai/m", server, inputs);
}

function blockOf(model: string, { baseUrl }: ModelServer, inputs: object): WrittenCall {
  const api_key = "${secrets.KEY}";
  return { inputs: { model, prompt: "Say hello", api_key, base_url: baseUrl, allow_private: true, ...inputs } };
}

interface ModelOptions {
  readonly prices?: Readonly<Record<string, ModelPrice>>;
}

export interface CalledModel {
  readonly record: Execution;
  readonly spend: Spend | undefined;
  /** What was shown while it ran. */
  readonly shown: string;
}

/** Runs one LLMCall to its end. */
export async function callModel(
  block: WrittenCall,
  options: ModelOptions = {},
  given: ValueMap = {},
): Promise<CalledModel> {
  const { run, shown } = await startModel(block, options, given);
  const { state } = await run.settled;
  const record = state.root.record.blocks.it as Execution;
  return { record, spend: spendOf(record), shown: shown() };
}

export function spendOf(record: Execution | undefined): Spend | undefined {
  return record?.metadata.spend as Spend | undefined;
}

/** The same for those who do something while it runs. */
export async function startModel(
  block: WrittenCall,
  options: ModelOptions = {},
  given: ValueMap = {},
): Promise<{ readonly run: TestRun; shown(): string; text(expected: string): Promise<void> }> {
  const engine = createTestEngine({ ...options, secrets: { KEY: modelKey } });
  const declared = Object.keys(given).map((name) => [name, { type: "string", description: "Given" }]);
  let shown = "";
  const run = await engine.start(
    { inputs: Object.fromEntries(declared), blocks: [{ id: "it", type: "LLMCall", ...block }] },
    {
      inputs: given,
      onOutput: (_path, text) => {
        shown += text;
      },
    },
  );
  return { run, shown: () => shown, text: (expected) => waitFor(expected, () => shown.includes(expected)) };
}
