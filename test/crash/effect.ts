import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { BlockCannotRun, type BlockContext, type BlockResult, type BlockType } from "../../src/block/define-block.ts";
import type { Value, ValueMap } from "../../src/expression/value.ts";
import { once } from "../../src/util/once.ts";
import { digestOf } from "./digest.ts";

/** An effect that happened in the world outside, where no journal can take it back. */
export interface EffectLine {
  readonly path: string;
  /** Its idempotency key, which tells the attempts around it apart. */
  readonly key: string;
  readonly attempt: number;
  /** `run`, or the answer that the block went on with. */
  readonly step: string;
}

/** What the blocks of a process do things to. */
export interface World {
  effect(line: EffectLine): void;
  /** How long the next part of a block's life takes. */
  lifeMs(...of: readonly (string | number)[]): number;
}

export const adopted: BlockResult = { kind: "succeeded", outputs: { value: "adopted" } };

/**
 * Has one effect each time it is called, somewhere in the middle of its short life. How it ends and what it makes follow from its
 * inputs and the answer it was given, so a run that was disturbed can be compared with one that was not.
 */
export function createEffectType(world: World): BlockType {
  async function live({ path, idempotencyKey: key, attempt, signal }: BlockContext, step: string): Promise<void> {
    await delay(world.lifeMs(path, attempt, step, "before"), undefined, { signal });
    world.effect({ path, key, attempt, step });
    await delay(world.lifeMs(path, attempt, step, "after"), undefined, { signal });
  }
  return {
    type: "Effect",
    summary: "Leaves a line in a ledger.",
    inputs: once(() =>
      z.strictObject({
        ends: z.enum(["success", "failure", "crash"]).default("success").describe("How it ends"),
        fails: z.number().int().default(0).describe("How many attempts fail first"),
        asks: z.number().int().default(0).describe("How many questions it asks first"),
        take: z.array(z.unknown()).default([]).describe("What its output is made from"),
      }),
    ),
    outputs: once(() => z.strictObject({ value: z.string() })),
    defaultOutputs: { value: "" },
    capabilities: [],
    undo: "not_needed",
    onInterrupted: "rerun",
    behaviour: {
      kind: "leaf",
      async run(input, context) {
        await live(context, "run");
        if (context.attempt <= (input.fails as number)) return failedAt(input);
        return (input.asks as number) > 0 ? ask(1) : resultOf(input, null);
      },
      async resume(input, answer, context) {
        await live(context, String(answer));
        const asked = Number(String(answer).split(" ").at(-1));
        return (input.asks as number) > asked ? ask(asked + 1) : resultOf(input, answer);
      },
      adopt: async () => adopted,
    },
  };
}

/** The text tells its number, so that the answer can. */
function ask(number: number): BlockResult {
  return { kind: "paused", question: { text: `question ${number}`, audience: "llm" } };
}

export function answerTo(question: string): string {
  return question.replace(/^question/, "answer");
}

/** Its interrupted attempts count among those that fail, so that they change nothing about its end. */
function failedAt({ take }: ValueMap): BlockResult {
  return { kind: "failed", message: "it is to fail first", outputs: { value: digestOf(take) } };
}

export function resultOf({ ends, take }: ValueMap, answer: Value): BlockResult {
  if (ends === "crash") throw new BlockCannotRun("it is to crash");
  const value = digestOf([take, answer]);
  if (ends === "failure") return { kind: "failed", message: "it is to fail", outputs: { value } };
  return { kind: "succeeded", outputs: { value } };
}
