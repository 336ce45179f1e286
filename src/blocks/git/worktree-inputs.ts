import * as z from "zod";

/** A name that git takes for an option is none of a branch or commit. */
export function gitName(): z.ZodString {
  return z.string().min(1).regex(/^[^-]/, "must not begin with -");
}

export function repoInput(): z.ZodDefault<z.ZodString> {
  return z
    .string()
    .min(1)
    .default(".")
    .describe("A directory of the repository, relative to the workspace; default: the workspace");
}
