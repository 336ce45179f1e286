import * as z from "zod";
import type { Problem } from "../../diagnostic/problem.ts";
import type { ServerContext } from "../../mcp/server-context.ts";
import { findRun, statusOf } from "../../runs/read-run.ts";
import { ok, type Result } from "../../util/result.ts";

/** How a run stands, in one word; all else comes with the stream of its changes. */
export async function runStatus(
  runId: string,
  { platform }: ServerContext,
): Promise<Result<{ readonly status: string }, Problem>> {
  const found = await findRun(platform, runId);
  return found.ok ? ok({ status: statusOf(found.value, platform) }) : found;
}

export function runStatusSchema(): z.ZodObject {
  return z.object({ status: z.enum(["success", "failure", "paused", "sleeping", "running", "queued", "interrupted"]) });
}
