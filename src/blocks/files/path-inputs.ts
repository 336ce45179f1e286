import * as z from "zod";

export function pathInput(what: string): z.ZodString {
  return z.string().min(1).describe(describePath(what));
}

export function optionalPath(what: string): z.ZodOptional<z.ZodString> {
  return z.string().min(1).optional().describe(describePath(what));
}

/** Names that other systems have for the input `path`. */
export const otherPathNames: Readonly<Record<string, string>> = {
  ...{ file: "path", filename: "path", file_name: "path", filepath: "path", file_path: "path" },
  ...{ dir: "path", directory: "path", name: "path", target: "path" },
};

function describePath(what: string): string {
  return `${what}: relative to the workspace, or absolute and inside it`;
}

export function unsafeInput(): z.ZodDefault<z.ZodBoolean> {
  return z.boolean().default(false).describe("Allows paths outside the workspace");
}

export function createParentsInput(): z.ZodDefault<z.ZodBoolean> {
  return z.boolean().default(true).describe("Make the directories on the way to it that are missing");
}
