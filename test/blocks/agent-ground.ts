import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Execution } from "../../src/engine/execution.ts";
import type { ValueMap } from "../../src/expression/value.ts";
import { createTestEngine, type Outcome, type TestEngine } from "../rig/engine.ts";
import type { FakeAgent } from "../rig/fake-agent.ts";

export interface Given {
  readonly agent?: string;
  readonly inputs?: object;
  /** Beside its inputs. */
  readonly block?: object;
  readonly values?: ValueMap;
  readonly onOutput?: (path: string, text: string) => void;
}

export function workflowOf({ program }: Pick<FakeAgent, "program">, given: Given): { blocks: readonly object[] } {
  const { agent = "claude", inputs = {}, block = {}, values = {} } = given;
  const declared = Object.keys(values).map((name) => [name, { type: "json", required: false, description: "Given" }]);
  return {
    ...{ inputs: Object.fromEntries(declared) },
    blocks: [{ id: "it", type: "Agent", inputs: { agent, prompt: "do it", program, ...inputs }, ...block }],
  };
}

export function run(engine: TestEngine, fake: Pick<FakeAgent, "program">, given: Given = {}): Promise<Outcome> {
  const { values: inputs = {}, onOutput } = given;
  return engine.run(workflowOf(fake, given), { inputs, ...(onOutput === undefined ? {} : { onOutput }) });
}

export async function recordOf(fake: Pick<FakeAgent, "program">, given: Given = {}): Promise<Execution> {
  const { state } = await run(createTestEngine(), fake, given);
  return state.root.record.blocks.it as Execution;
}

/** A program that writes down what it was started with. */
export const telling: string = `fs.writeFileSync(beside("started.json"), JSON.stringify({ args, prompt, cwd: process.cwd(), env: process.env }));`;

export interface Started {
  readonly args: readonly string[];
  readonly prompt: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export function startedWith({ directory }: FakeAgent): Started {
  return JSON.parse(readFileSync(join(directory, "started.json"), "utf8")) as Started;
}
