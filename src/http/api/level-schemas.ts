import * as z from "zod";
import { once } from "../../util/once.ts";

/** What the records of `views/page/page-records.ts` are, for whoever reads the description of the API. */

const standing: () => z.ZodType = once(() =>
  z
    .enum([
      "done",
      "running",
      "failed",
      "handled",
      "crashed",
      "asks",
      "interrupted",
      "sleeping",
      "skipped",
      "to_come",
      "cancelled",
      "undone",
    ])
    .meta({ id: "Standing" }),
);

const counts = (): z.ZodType => z.record(z.string(), z.number().int()).describe("How many stand in each way");
const time = (): z.ZodType => z.string().describe("ISO 8601");

const spend = (): z.ZodType =>
  z.object({
    text: z.string(),
    usd: z.number().optional(),
    most: z.string().optional(),
    mostUsd: z.number().optional(),
  });

/** `PageForm`. */
const formSchema = () =>
  z.object({
    fields: z.array(z.looseObject({ name: z.string(), label: z.string(), kind: z.string(), required: z.boolean() })),
    buttons: z.array(
      z.object({
        label: z.string(),
        means: z.string().optional(),
        takes_fields: z.boolean().describe("Whether what the fields hold is the answer; else `value` is"),
        name: z.string().optional().describe("Beside what the fields hold, `value` is sent under this name"),
        value: z.unknown(),
      }),
    ),
  });

export const questionSchema: () => z.ZodType = once(() =>
  z
    .object({
      id: z.string(),
      block: z.string().describe("Address of the block that asks"),
      prompt: z.string(),
      audience: z.enum(["llm", "human"]),
      about: z.enum(["block", "budget", "interruption"]),
      asked_at: time().nullable(),
      schema: z.unknown().describe("JSON Schema of the answer"),
      choices: z.array(z.string()).optional(),
      default: z.unknown(),
      holds_up: z.array(z.string()).optional(),
      waiting: z.string().optional(),
      form: formSchema().describe("How it is answered by a person: fields, and a button for each way to send them"),
    })
    .meta({ id: "Question" }),
);

export const cardSchema: () => z.ZodType = once(() =>
  z
    .object({
      address: z.string(),
      name: z.string(),
      type: z.string(),
      standing: standing(),
      message: z.string().optional(),
      says: z.string().optional().describe("The one thing to know; `{}` in it is how long it has taken"),
      about: z.string().optional(),
      started_at: time().nullable(),
      duration_ms: z.number(),
      running_since: time().optional(),
      attempt: z.number().int(),
      most_attempts: z.number().int().optional(),
      wake_at: time().optional(),
      question: z.string().optional(),
      holds: z.enum(["none", "workflow", "group", "loop"]),
      inside: z
        .object({ ended: z.number().int(), total: z.number().int(), counts: counts(), strip: z.string() })
        .optional(),
      is_finally: z.literal(true).optional(),
      is_reused: z.literal(true).optional(),
      is_rolling_back: z.literal(true).optional(),
      allows_failure: z.literal(true).optional(),
      workflow: z.string().optional(),
      condition: z.string().optional(),
      element: z.string().optional(),
      spend: spend().optional(),
      wave: z.number().int(),
      spans: z.array(
        z.object({
          kind: z.enum(["ran", "failed", "asked", "slept", "backed_off", "slot"]),
          from: time(),
          to: time().nullable(),
          attempt: z.number().int().optional(),
        }),
      ),
    })
    .meta({ id: "BlockCard" }),
);

const head: () => z.ZodType = once(() =>
  z
    .object({
      run_id: z.string(),
      workflow: z.string(),
      label: z.string().optional(),
      standing: standing(),
      sentence: z.string(),
      started_at: time(),
      finished_at: time().nullable(),
      duration_ms: z.number().nullable(),
      started_by: z.string().optional(),
      workspace: z.string(),
      spend: spend().optional(),
      wake_at: time().optional(),
      rerun_of: z.string().optional(),
      undo_of: z.string().optional(),
      undone_by: z.string().optional(),
      questions: z.array(questionSchema()),
      failures: z.array(z.object({ address: z.string(), message: z.string() })),
      actions: z.record(z.string(), z.union([z.literal(true), z.string()])).describe("True, or why it can't be done"),
      outputs: z.record(z.string(), z.unknown()).optional(),
      sequence: z.number().int(),
    })
    .meta({ id: "RunHead" }),
);

export const levelSchema: () => z.ZodType = once(() =>
  z
    .object({
      head: head(),
      crumbs: z.array(z.object({ address: z.string(), name: z.string() })),
      of: cardSchema().optional(),
      holds: z.enum(["none", "workflow", "group", "loop"]),
      blocks: z.array(cardSchema()),
      edges: z.array(
        z.object({
          from: z.string(),
          to: z.string(),
          kind: z.enum(["required", "optional", "condition"]),
          decided: z.enum(["open", "went", "failed", "not_taken"]),
          is_critical: z.literal(true).optional(),
        }),
      ),
      passes: z
        .object({
          total: z.number().int(),
          counts: counts(),
          strip: z.string(),
          reasons: z.array(z.object({ message: z.string(), count: z.number().int() })),
        })
        .optional(),
    })
    .meta({ id: "Level" }),
);
