import * as z from "zod";

export function pathInput(what: string): z.ZodString {
  return z.string().min(1).describe(describePath(what));
}

export function optionalPath(what: string): z.ZodOptional<z.ZodString> {
  return z.string().min(1).optional().describe(describePath(what));
}

function describePath(what: string): string {
  return `${what}: relative to the workspace, or absolute and inside it`;
}

export function unsafeInput(): z.ZodDefault<z.ZodBoolean> {
  return z.boolean().default(false).describe("Allows paths outside the workspace");
}

export function createParentsInput(): z.ZodDefault<z.ZodBoolean> {
  return z.boolean().default(true).describe("Make the directories on the way to it that are missing");
}
