import type { Execution } from "../../src/engine/execution.ts";
import type { ValueMap } from "../../src/expression/value.ts";
import type { TestEngine } from "./engine.ts";

/** Runs one Shell block and gives its record; `more` is what stands beside its inputs. */
export async function runShell(
  engine: TestEngine,
  inputs: string | object,
  more: object = {},
  given: ValueMap = {},
): Promise<Execution> {
  const written = typeof inputs === "string" ? { command: inputs } : inputs;
  const declared = Object.keys(given).map((name) => [name, { type: "json", required: false, description: "Given" }]);
  const { state } = await engine.run(
    { inputs: Object.fromEntries(declared), blocks: [{ id: "it", type: "Shell", inputs: written, ...more }] },
    { inputs: given },
  );
  return state.root.record.blocks.it as Execution;
}
