import type { ValueMap } from "../../src/expression/value.ts";
import { foreseeRun } from "../../src/runs/foresee-run.ts";
import { type BlockForecast, type DryRunResponse, describeDryRun } from "../../src/views/dry-run.ts";
import type { TestEngine, Written } from "./engine.ts";

/** What a run would do, as every door tells it. */
export async function foresee(
  { engine, plan, workspace }: TestEngine,
  written: Written,
  inputs: ValueMap = {},
): Promise<DryRunResponse> {
  const options = { inputs, workspace, signal: new AbortController().signal };
  const foreseen = await foreseeRun(engine, plan(written), options);
  if (!foreseen.ok) throw new Error(`The run is refused: ${JSON.stringify(foreseen.error)}`);
  return describeDryRun(foreseen.value);
}

/** `build: would run`, and why if that is said, in order. */
export function verdicts({ blocks }: DryRunResponse): readonly string[] {
  return blocks.map(({ block, verdict, why }) => `${block}: ${verdict}${why === undefined ? "" : `: ${why}`}`);
}

export function forecastOf({ blocks }: DryRunResponse, address: string): BlockForecast {
  const found = blocks.find(({ block }) => block === address);
  if (found === undefined) throw new Error(`Nothing is said of ${address}.`);
  return found;
}

export const shell = (id: string, command: string, more: object = {}): object => ({
  id,
  type: "Shell",
  inputs: { command },
  ...more,
});
export const createFile = (id: string, path: string, content: string, more: object = {}): object => ({
  id,
  type: "CreateFile",
  inputs: { path, content },
  ...more,
});
export const readFile = (id: string, path: string, more: object = {}): object => ({
  id,
  type: "ReadFile",
  inputs: { path },
  ...more,
});
