import { problem } from "../diagnostic/problem.ts";
import type { DryRunResponse } from "../views/dry-run.ts";
import type { Call } from "./call.ts";
import { describeChoice } from "./describe-library.ts";
import { refuse, refuseWith, result, type ToolReply, type Waiting } from "./reply.ts";
import { foreseeHere, type StartRequest } from "./start-here.ts";

/** What a run would do, told without starting it. */
export function foresee(request: StartRequest, { format }: Waiting, call: Call): Promise<ToolReply> {
  return unlessCancelled(call, async () => {
    const foreseen = await foreseeHere(request, call.signal);
    if (!foreseen.ok) return refuseWith(foreseen.error.problems, foreseen.error.next);
    return tell(foreseen.value, "dry_run", format, describeChoice(request.checked.diagnostics));
  });
}

/** What would happen, and that it did not because of this argument. */
export function tell(
  dryRun: DryRunResponse,
  argument: string,
  format: Waiting["format"],
  more: object = {},
): ToolReply {
  const message = `Nothing was run or changed. To run it, make the same call without ${argument}.`;
  return result({ ...dryRun, message, ...more }, format);
}

export async function unlessCancelled({ signal }: Call, action: () => Promise<ToolReply>): Promise<ToolReply> {
  try {
    return await action();
  } catch (error) {
    if (signal.aborted) return refuse(problem("cancelled", "The dry run was cancelled."));
    throw error;
  }
}
