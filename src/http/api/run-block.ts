import * as z from "zod";
import { problem } from "../../diagnostic/problem.ts";
import { seeBlock } from "../../mcp/see-block.ts";
import { err, ok } from "../../util/result.ts";
import { describeDetail, findValue } from "../../views/page/block-detail.ts";
import { defineRoute, type Route } from "../route.ts";
import { cardSchema, questionSchema } from "./level-schemas.ts";

const attemptSchema = z.coerce.number().int().min(1).optional().describe("Which attempt at it; the latest otherwise");

const panelRows = () => z.array(z.object({ name: z.string(), text: z.string(), is_code: z.literal(true).optional() }));

const valueLines = () =>
  z.array(
    z.object({
      name: z.string(),
      text: z.string(),
      length: z.number().int().optional(),
      is_secret: z.literal(true).optional(),
    }),
  );

export const runBlockRoute: Route = defineRoute({
  method: "GET",
  path: "/runs/:run/blocks/*address",
  summary: "One block of a run in full.",
  description: "Long values are cut; `length` says how long they are, and `/runs/RUN/value/ADDRESS` gives the whole.",
  effect: "reads",
  query: () => z.strictObject({ attempt: attemptSchema }),
  gives: () =>
    z.object({
      card: cardSchema(),
      sentence: z.string(),
      ran_because: z.array(z.object({ address: z.string(), decided: z.string() })),
      holds_up: z.array(z.string()),
      facts: panelRows().describe("Why it ran and what waits for it, in words"),
      foot: panelRows().describe("When it began and what it spent, in words"),
      attempts: z.array(
        z.object({
          attempt: z.number().int(),
          standing: z.string(),
          started_at: z.string(),
          duration_ms: z.number().nullable(),
          message: z.string().optional(),
        }),
      ),
      inputs: valueLines(),
      outputs: valueLines(),
      question: questionSchema().optional(),
      source: z.object({ file: z.string(), line: z.number().int() }).optional(),
      changed_files: z.number().int(),
      has_log: z.boolean(),
      sequence: z.number().int(),
    }),
  async answer({ params, query: { attempt } }, context) {
    const found = await seeBlock(params, attempt, context);
    return found.ok ? ok(describeDetail(found.value.seen, found.value.latest, found.value.address)) : found;
  },
});

export const runValueRoute: Route = defineRoute({
  method: "GET",
  path: "/runs/:run/value/*address",
  summary: "The whole of an input or output of a block.",
  effect: "reads",
  query: () =>
    z.strictObject({
      field: z.string().describe("`inputs.NAME` or `outputs.NAME`"),
      attempt: attemptSchema,
    }),
  gives: () => z.object({ text: z.string() }),
  async answer({ params, query: { field, attempt } }, context) {
    const found = await seeBlock(params, attempt, context);
    if (!found.ok) return found;
    const text = findValue(found.value.seen.place, field);
    if (text !== undefined) return ok({ text });
    return err(problem("wrong-argument", `'${found.value.address}' has no '${field}'.`));
  },
});
