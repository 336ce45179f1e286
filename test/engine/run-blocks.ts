import type { WorkflowResponse } from "../../src/views/response.ts";
import type { Outcome } from "../rig/engine.ts";
import { createStepEngine, ending } from "../rig/step-engine.ts";

export async function runBlocks(
  blocks: readonly object[],
  workflows: Record<string, { blocks: object[] }> = {},
): Promise<Outcome> {
  return createStepEngine({ workflows }).engine.run({ blocks });
}

export function handled(response: WorkflowResponse): Record<string, readonly string[]> {
  return Object.fromEntries((response.handled_failures ?? []).map((one) => [one.block, one.handled_by]));
}

/** What runs because of a failure, and something that uses it. */
export function withUse(id: string, ...others: readonly object[]): object[] {
  return [...others, ending("use", "succeed", { depends_on: [id] })];
}
