import type { Value, ValueMap } from "../expression/value.ts";
import type { FrozenDefinition } from "./events.ts";

/** What a started block holds: nothing, another workflow, its own blocks, or the passes of a loop. */
export type Inside =
  | { readonly kind: "leaf" }
  | {
      readonly kind: "workflow";
      /** Its key. */
      readonly workflow: string;
      readonly inputs: ValueMap;
      readonly workspace: string;
      /** Only for a child that was not known when the run started. */
      readonly definition?: FrozenDefinition;
    }
  /** The blocks are in the text of the workflow around, and see what that one sees. */
  | { readonly kind: "group" }
  | { readonly kind: "loop"; readonly elements: readonly LoopElement[] };

export interface LoopElement {
  readonly key: string | number;
  readonly value: Value;
}
