import * as z from "zod";
import { once } from "../util/once.ts";
import type { BlockType } from "./define-block.ts";

/** What a block is that has `blocks:` instead of a type. It is in no catalog: nobody can write its name. */
export const group: BlockType = {
  type: "group",
  summary: "Holds the blocks that are written inside it.",
  inputs: once(() => z.strictObject({})),
  outputs: once(() => z.looseObject({})),
  defaultOutputs: {},
  capabilities: [],
  undo: "not_needed",
  onInterrupted: "rerun",
  behaviour: { kind: "group" },
};
