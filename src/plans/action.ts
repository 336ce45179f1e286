import type { Value } from "../expression/value.ts";
import type { Result } from "../util/result.ts";
import type { Fields, ReadFields } from "./field.ts";

/** The block that a step becomes. */
export interface PlannedBlock {
  readonly type: string;
  /** In the order in which they are written. Texts are what they say: nothing in them is an expression. */
  readonly inputs: readonly (readonly [name: string, value: Value])[];
}

/** What can't be made of the fields of a step, and what to write instead. */
export interface Fault {
  readonly message: string;
  readonly fix?: string;
}

/** What a step can do: one object with its names, its fields and the block that it becomes. */
export interface Action {
  readonly name: string;
  /** What models call it as well. */
  readonly otherNames: readonly string[];
  readonly fields: Fields;
  /** The field that the step's description stands in for, where it is missing. */
  readonly describedBy?: string;
  /** Of a block type: what it takes. Whatever else the step says is an input of the block. */
  readonly inputNames?: readonly string[];
  toBlock(fields: ReadFields<Fields>): Result<PlannedBlock, Fault>;
}

interface ActionDefinition<Of extends Fields> extends Omit<Action, "fields" | "toBlock"> {
  readonly fields: Of;
  /** Called when all that is required is there. */
  toBlock(fields: ReadFields<Of>): Result<PlannedBlock, Fault>;
}

export function defineAction<Of extends Fields>(definition: ActionDefinition<Of>): Action {
  return { ...definition, toBlock: (fields) => definition.toBlock(fields as ReadFields<Of>) };
}

/** A block with those of the inputs that there are. */
export function block(type: string, inputs: Readonly<Record<string, Value | undefined>>): PlannedBlock {
  const given = Object.entries(inputs).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { type, inputs: given };
}
