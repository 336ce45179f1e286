import { expect } from "vitest";
import type { Execution } from "../../src/engine/execution.ts";
import type { ValueMap } from "../../src/expression/value.ts";
import { createTestEngine, explain, type TestEngine } from "../rig/engine.ts";

/** Runs one RenderTemplate and gives its record. */
export async function render(
  inputs: object,
  given: ValueMap = {},
  engine: TestEngine = createTestEngine(),
  more: object = {},
): Promise<Execution> {
  const declared = Object.keys(given).map((name) => [name, { type: "json", description: "Given" }]);
  const written = { inputs: Object.fromEntries(declared), blocks: [block(inputs, more)] };
  const { state } = await engine.run(written, { inputs: given });
  return state.root.record.blocks.it as Execution;
}

export function block(inputs: object, more: object = {}): object {
  return { id: "it", type: "RenderTemplate", inputs, ...more };
}

export async function contentOf(template: string, variables: object = {}, given: ValueMap = {}): Promise<unknown> {
  const { metadata, outputs } = await render({ template, variables }, given);
  expect(metadata).toMatchObject({ message: null, status: "completed", outcome: "success" });
  return outputs.content;
}

export function problemsOf(inputs: object): string {
  return explain(createTestEngine().check({ inputs: { x: { type: "string" } }, blocks: [block(inputs)] }).diagnostics);
}

export const failed = { status: "completed", outcome: "failure" };
export const crashed = { status: "failed", outcome: "n/a" };
