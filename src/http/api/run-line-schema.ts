import * as z from "zod";
import { once } from "../../util/once.ts";
import { standingLetters } from "../../views/page/page-records.ts";

export const standingWords: readonly string[] = Object.keys(standingLetters);
const standingSchema: () => z.ZodType<string, string> = once(() => z.enum(standingWords as [string]));

export const spendSchema: () => z.ZodObject = once(() =>
  z.object({
    text: z.string().describe("For people, such as `$0.42`"),
    usd: z.number().optional(),
    most: z.string().optional().describe("The limit, where there is one"),
    mostUsd: z.number().optional(),
  }),
);

/** A `RunLine`. */
export const runLineSchema: () => z.ZodObject = once(() =>
  z.object({
    run_id: z.string(),
    workflow: z.string(),
    standing: standingSchema(),
    label: z
      .string()
      .optional()
      .describe("What tells it from other runs of its workflow: its first given input that is short"),
    says: z
      .string()
      .describe("What happens, or how it ended, in a sentence; times in it stand as `<2026-01-31T14:05:00.000Z>`"),
    started_at: z.string(),
    finished_at: z.string().nullable(),
    duration_ms: z.number().nullable().describe("With the time it waited; null until it has ended"),
    started_by: z.string().optional(),
    spend: spendSchema().optional().describe("What it had cost when it ended, or last came to rest"),
    wake_at: z.string().optional().describe("When it goes on by itself"),
    questions: z.array(z.string()).describe("Ids of the questions that wait for an answer"),
    rerun_of: z.string().optional(),
    undo_of: z.string().optional(),
    undone_by: z.string().optional().describe("The run that has taken it back"),
    workspace: z.string(),
    sequence: z.number().int().describe("The number of its latest event: grows with every change"),
  }),
);
