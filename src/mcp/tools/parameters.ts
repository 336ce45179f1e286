import * as z from "zod";
import { usualWaitSeconds, type Waiting } from "../reply.ts";

/** Any JSON. Says so, because some clients refuse a schema that says nothing. */
export const anything: z.ZodUnknown = z.unknown().meta({ type: ["string", "number", "boolean", "object", "array"] });

/** Parameters that several tools share, so that they are the same everywhere. */
export const inputs: z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodUnknown>> = z
  .record(z.string(), z.unknown())
  .default({})
  .describe("By name; see get_workflow_info");
export const responseFormat: z.ZodDefault<z.ZodEnum<{ minimal: "minimal"; detailed: "detailed" }>> = z
  .enum(["minimal", "detailed"])
  .default("minimal")
  .describe("detailed adds all block records");
export const waitSeconds: z.ZodDefault<z.ZodNumber> = z
  .number()
  .min(0)
  .max(600)
  .default(usualWaitSeconds)
  // The most stands here too, because there are clients that tell their models nothing of limits.
  .describe("Longest wait, 600 at most; the run goes on");
export const idempotencyKeyParameter: z.ZodOptional<z.ZodString> = z
  .string()
  .min(1)
  .optional()
  .describe("Same key, same run: not run twice");
export const dryRun: z.ZodOptional<z.ZodBoolean> = z
  .boolean()
  .optional()
  .describe("Only tell what would run and change");
export const workspace: z.ZodOptional<z.ZodString> = z.string().min(1).optional().describe("Directory to work in");
/** What a tool that starts a run takes beside the workflow. */
export const startParameters: {
  readonly inputs: typeof inputs;
  readonly response_format: typeof responseFormat;
  readonly wait_seconds: typeof waitSeconds;
  readonly idempotency_key: typeof idempotencyKeyParameter;
  readonly workspace: typeof workspace;
  readonly dry_run: typeof dryRun;
} = {
  inputs,
  response_format: responseFormat,
  wait_seconds: waitSeconds,
  idempotency_key: idempotencyKeyParameter,
  workspace,
  dry_run: dryRun,
};
export const limit: z.ZodDefault<z.ZodNumber> = z.number().int().min(1).max(500).default(50);
export const cursor: z.ZodOptional<z.ZodString> = z.string().optional().describe("next_cursor of the page before");

/** How much of a list one page holds, so that it fits in a reply with what stands beside it. */
export const pageRoom = 15_000;

export function waitingOf(args: {
  readonly wait_seconds: number;
  readonly response_format: Waiting["format"];
}): Waiting {
  return { waitSeconds: args.wait_seconds, format: args.response_format };
}

/** Of every reply about a run. It stays open: a workflow's outputs can be anything, and each word is paid for by every client. */
export const runSchema: Readonly<Record<string, unknown>> = {
  type: "object",
  properties: { status: { type: "string" }, run_id: { type: "string" } },
};
