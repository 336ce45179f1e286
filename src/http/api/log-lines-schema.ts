import * as z from "zod";

/** `LogLines`. */
export function logLinesSchema(): z.ZodObject {
  return z.object({
    lines: z.array(
      z.object({
        at: z.number().describe("Milliseconds since 1970"),
        stream: z.enum(["stdout", "stderr"]),
        text: z.string().describe("Without escape sequences; other control characters are made visible"),
        styles: z
          .array(z.tuple([z.number().int(), z.string()]))
          .optional()
          .describe("Stretches of it, by their length, and how each looks: `ansi-red ansi-bold`"),
        block: z.string().optional().describe("Whose it is, where several blocks write"),
        is_failure: z.literal(true).optional().describe("It tells of a failure, in the words that most tools use"),
      }),
    ),
    skipped: z.number().int().optional().describe("How many lines before these were left out"),
    has_ended: z.literal(true).optional().describe("No more will come"),
  });
}
