import * as z from "zod";
import { once } from "../../util/once.ts";
import { textInput } from "../text-input.ts";

export type EditOperation = ReplaceText | ReplaceLines | InsertLines | DeleteLines | RegexReplace;
export type LineOperation = ReplaceLines | InsertLines | DeleteLines;

export const resultTooLong = "the edited text is too long";

type Text = string | number | boolean;

interface ReplaceText {
  readonly type: "replace_text";
  readonly old_text: Text;
  readonly new_text: Text;
  /** -1 for all. */
  readonly count: number;
}

/** Lines are counted from 1, and the last one belongs to the range. */
interface ReplaceLines {
  readonly type: "replace_lines";
  readonly line_start: number;
  readonly line_end?: number | undefined;
  readonly content: Text;
}

interface InsertLines {
  readonly type: "insert_lines";
  readonly line_start?: number | undefined;
  readonly position: "before" | "after";
  readonly content: Text;
}

interface DeleteLines {
  readonly type: "delete_lines";
  readonly line_start: number;
  readonly line_end?: number | undefined;
}

export interface RegexReplace {
  readonly type: "regex_replace";
  readonly pattern: string;
  readonly replacement: Text;
  readonly flags: string | readonly PatternFlag[];
  readonly count: number;
}

const patternFlags = ["IGNORECASE", "MULTILINE", "DOTALL"] as const;
export type PatternFlag = (typeof patternFlags)[number];

export const editOperation: () => z.ZodType<EditOperation> = once(() => {
  const lineStart = z.number().int().min(1).describe("The first line, counted from 1");
  const lineEnd = z.number().int().min(1).optional().describe("The last line; default: the first");
  const lines = textInput().describe("Text of any number of lines; a newline at its end is not needed");
  const count = z
    .number()
    .int()
    .refine((most) => most === -1 || most > 0, "must be at least 1, or -1 for all")
    .default(-1)
    .describe("How many of them at most, from the first on; -1: all");

  const kinds = [
    z.strictObject({
      type: z.literal("replace_text"),
      old_text: z.union([z.string().min(1), z.number(), z.boolean()]).describe("Must be there, exactly so"),
      new_text: textInput().describe("Takes its place"),
      count,
    }),
    z.strictObject({
      type: z.literal("replace_lines"),
      line_start: lineStart,
      line_end: lineEnd,
      content: lines,
    }),
    z.strictObject({
      type: z.literal("insert_lines"),
      line_start: lineStart.optional().describe("The line to insert at, counted from 1; default: after the last"),
      position: z.enum(["before", "after"]).default("before").describe("Before or after that line"),
      content: lines,
    }),
    z.strictObject({
      type: z.literal("delete_lines"),
      line_start: lineStart,
      line_end: lineEnd,
    }),
    z.strictObject({
      type: z.literal("regex_replace"),
      pattern: z.string().min(1).describe("A pattern of RE2; must match somewhere"),
      replacement: textInput().describe(
        "Takes the place of what matches; $1 or $<name> is a group, $& all of it, $$ a dollar sign",
      ),
      flags: z
        .union([z.string().regex(/^[ims]*$/, "must be letters out of i, m and s"), z.array(z.enum(patternFlags))])
        .default("")
        .describe("i ignores case, m lets ^ and $ match at every line, s lets . match a newline"),
      count,
    }),
  ] as const;
  const names = kinds.map(({ shape }) => shape.type.value).join(", ");
  return z.discriminatedUnion("type", kinds, {
    error: ({ code }) => (code === "invalid_union" ? `must be one of ${names}` : undefined),
  });
});
