import { expect } from "vitest";
import type { Frond } from "../rig/frond.ts";

export const first = ".frond/workflows/check.yaml";
export const its = ".frond/workflows/check.test.yaml";
export const shared: readonly string[] = [
  ".frond/.gitignore",
  ".frond/schema/workflow.schema.json",
  ".frond/schema/test.schema.json",
];

export const manifest = (more: object): string => JSON.stringify({ name: "fern", version: "1.0.0", ...more });

export interface Made {
  readonly made: readonly string[];
  readonly kept: readonly string[];
  readonly [more: string]: unknown;
}

export async function init(frond: Frond, ...args: string[]): Promise<Made> {
  const { code, reply } = await frond.json(["init", ...args]);
  expect([code, reply]).toEqual([0, expect.anything()]);
  return reply as Made;
}
