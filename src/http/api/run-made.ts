import * as z from "zod";

/** A run was made; it is durable, and this server drives it. */
export function runMade(runId: string): Response {
  return Response.json({ run_id: runId }, { status: 201 });
}

export function runMadeSchema(): z.ZodObject {
  return z.object({ run_id: z.string() });
}
