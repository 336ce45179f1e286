import * as z from "zod";
import { BlockCannotRun, type BlockResult, type BlockType } from "../../../src/block/define-block.ts";
import type { Value, ValueMap } from "../../../src/expression/value.ts";
import { once } from "../../../src/util/once.ts";
import { digestOf } from "../../crash/digest.ts";

/** What happens to blocks from outside. */
export interface World {
  /** Tags of blocks that fail for a reason which no text tells. */
  readonly broken: ReadonlySet<string>;
}

/** How it ends and what it makes follow from its inputs alone, and all of them are in what it makes. */
export function createWorkType(world: World): BlockType {
  function end(input: ValueMap, answer: Value): BlockResult {
    if (world.broken.has(String(input.tag))) return { kind: "failed", message: "broken", outputs: nothingMade };
    if (input.ends === "crash") throw new BlockCannotRun("it is to crash");
    const value = digestOf([input, answer]);
    const outputs = { value, list: [Number.parseInt(value.slice(0, 1), 16) % 3, "same", "same"] };
    if (input.ends === "failure") return { kind: "failed", message: `it is to fail: ${value}`, outputs };
    return { kind: "succeeded", outputs };
  }
  return {
    type: "Work",
    summary: "Makes a digest of its inputs.",
    inputs: once(() =>
      z.strictObject({
        take: z.array(z.unknown()).default([]).describe("What it reads"),
        tag: z.string().describe("What tells it from others"),
        ends: z.enum(["success", "failure", "crash"]).describe("How it ends"),
        fails: z.number().int().default(0).describe("How many attempts fail first"),
        asks: z.enum(["llm", "human"]).optional().describe("Whom it asks first"),
        env: z.record(z.string(), z.string()).default({}).describe("What a workflow hands to all"),
      }),
    ),
    outputs: once(() => z.strictObject({ value: z.string(), list: z.array(z.unknown()) })),
    envInput: "env",
    defaultOutputs: nothingMade,
    capabilities: [],
    undo: "not_needed",
    onInterrupted: "rerun",
    behaviour: {
      kind: "leaf",
      async run(input, { attempt }) {
        if (attempt <= (input.fails as number)) return { kind: "failed", message: "first", outputs: nothingMade };
        if (input.asks === undefined) return end(input, null);
        const audience = input.asks as "llm" | "human";
        return { kind: "paused", question: { text: digestOf(input), audience } };
      },
      resume: async (input, answer) => end(input, answer),
    },
  };
}

const nothingMade: ValueMap = { value: "", list: [] };
