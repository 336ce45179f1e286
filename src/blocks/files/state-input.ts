import * as z from "zod";
import { readState } from "../../changes/state-text.ts";

/** A state as it is written in undo plans. */
export function stateInput(): z.ZodString {
  return z
    .string()
    .refine(
      (text) => readState(text) !== undefined,
      "must be a state: missing, file MODE SHA256 SIZE, directory MODE or link TARGET",
    );
}
