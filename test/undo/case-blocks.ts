import * as z from "zod";
import { BlockCannotRun, type BlockType } from "../../src/block/define-block.ts";
import { defineLeaf } from "../../src/block/define-leaf.ts";
import { compareSnapshots, type TreeSnapshot, takeSnapshot } from "./tree-snapshot.ts";

/** What the blocks of one case have in common. */
export class CaseMemory {
  readonly #falters = new Map<string, number>();
  readonly #seen = new Map<string, TreeSnapshot>();
  /** What witnesses have seen that should not have been. */
  readonly differences: string[] = [];
  /** How often a witness has seen a tree that another one had seen before. */
  compared = 0;

  falter(tag: string): number {
    const count = (this.#falters.get(tag) ?? 0) + 1;
    this.#falters.set(tag, count);
    return count;
  }

  see(name: string, workspace: string): void {
    const now = takeSnapshot(workspace);
    const before = this.#seen.get(name);
    this.#seen.set(name, before ?? now);
    if (before === undefined) return;
    this.compared++;
    this.differences.push(...compareSnapshots(before, now).map((line) => `witness ${name}: ${line}`));
  }

  /** What the first witness of a name saw. */
  seen(name: string): TreeSnapshot | undefined {
    return this.#seen.get(name);
  }
}

/** Blocks that fail when they are told to, and blocks that see the whole workspace. */
export function createCaseBlocks(memory: CaseMemory, workspace: string): readonly BlockType[] {
  const falter = defineLeaf({
    type: "Falter",
    summary: "Fails a few times, and then succeeds.",
    inputs: () =>
      z.strictObject({
        tag: z.string().describe("What tells it from others"),
        times: z.number().int().describe("How often it fails"),
        how: z.enum(["failure", "crash"]).default("failure").describe("How it fails"),
      }),
    outputs: () => z.strictObject({}),
    defaultOutputs: {},
    capabilities: [],
    undo: "not_needed",
    onInterrupted: "rerun",
    async run({ tag, times, how }) {
      if (memory.falter(tag) > times) return { kind: "succeeded", outputs: {} };
      if (how === "crash") throw new BlockCannotRun("it is to crash");
      return { kind: "failed", message: "it is to fail", outputs: {} };
    },
  });
  const witness = defineLeaf({
    type: "Witness",
    summary: "Sees the workspace.",
    inputs: () => z.strictObject({ name: z.string().describe("All of the same name must see the same") }),
    outputs: () => z.strictObject({}),
    defaultOutputs: {},
    capabilities: [],
    undo: "not_needed",
    onInterrupted: "rerun",
    async run({ name }) {
      memory.see(name, workspace);
      return { kind: "succeeded", outputs: {} };
    },
  });
  return [falter, witness];
}
