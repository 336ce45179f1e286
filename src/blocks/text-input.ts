import * as z from "zod";

/** An expression as a whole keeps its type, and a number is as good as its text. */
export function textInput(): z.ZodUnion<[z.ZodString, z.ZodNumber, z.ZodBoolean]> {
  return z.union([z.string(), z.number(), z.boolean()]);
}
