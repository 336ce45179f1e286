import type { Execution } from "../../src/engine/execution.ts";
import type { ValueMap } from "../../src/expression/value.ts";
import type { TestEngine } from "./engine.ts";

/** Runs one block of a type and gives its record; what is given can be read as an input of the workflow. */
export async function runBlock(
  engine: TestEngine,
  type: string,
  inputs: object,
  given: ValueMap = {},
): Promise<Execution> {
  const declared = Object.keys(given).map((name) => [name, { type: "json", required: false, description: "Given" }]);
  const { state } = await engine.run(
    { inputs: Object.fromEntries(declared), blocks: [{ id: "it", type, inputs }] },
    { inputs: given },
  );
  return state.root.record.blocks.it as Execution;
}
