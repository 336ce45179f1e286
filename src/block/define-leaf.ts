import type * as z from "zod";
import type { Value, ValueMap } from "../expression/value.ts";
import { once } from "../util/once.ts";
import type { BlockContext, BlockResult, BlockType, LeafBehaviour, WrittenSoFar } from "./define-block.ts";

/** What a schema, made when it is asked for, turns the inputs of a block into. */
export type InputsOf<Schema extends () => z.ZodObject> = z.infer<ReturnType<Schema>>;

/** A block type whose behaviour stands beside what it declares, and is given what its own schema has parsed. */
export interface LeafDefinition<Schema extends z.ZodObject> extends Omit<BlockType, "inputs" | "behaviour"> {
  inputs(): Schema;
  run(input: z.infer<Schema>, context: BlockContext): Promise<BlockResult>;
  resume?(input: z.infer<Schema>, answer: Value, context: BlockContext): Promise<BlockResult>;
  wake?(input: z.infer<Schema>, sleptMs: number, context: BlockContext): Promise<BlockResult>;
  adopt?(input: z.infer<Schema>, soFar: WrittenSoFar, context: BlockContext): Promise<BlockResult>;
}

/** The type of a block that does something itself: see `LeafBehaviour`. */
export function defineLeaf<Schema extends z.ZodObject>(definition: LeafDefinition<Schema>): BlockType {
  const { run, resume, wake, adopt, ...declared } = definition;
  // The engine gives a behaviour nothing but what the schema has parsed.
  const parsed = (input: ValueMap): z.infer<Schema> => input as z.infer<Schema>;
  const behaviour: LeafBehaviour = {
    kind: "leaf",
    run: (input, context) => run(parsed(input), context),
    ...(resume === undefined ? {} : { resume: (input, answer, context) => resume(parsed(input), answer, context) }),
    ...(wake === undefined ? {} : { wake: (input, sleptMs, context) => wake(parsed(input), sleptMs, context) }),
    ...(adopt === undefined ? {} : { adopt: (input, soFar, context) => adopt(parsed(input), soFar, context) }),
  };
  return { ...declared, inputs: once(definition.inputs), outputs: once(definition.outputs), behaviour };
}
