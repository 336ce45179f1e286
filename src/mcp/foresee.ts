import { problem } from "../diagnostic/problem.ts";
import { toValue, type ValueMap } from "../expression/value.ts";
import { explainStart, type RefusedStart } from "../runs/explain-start.ts";
import { foreseeRun } from "../runs/foresee-run.ts";
import { describeDryRun } from "../views/dry-run.ts";
import type { Call } from "./call.ts";
import { describeChoice } from "./describe-library.ts";
import { refuse, refuseWith, result, type ToolReply, type Waiting } from "./reply.ts";
import { adviseOnStart, type StartRequest } from "./start-and-await.ts";

/** What a run would do, told without starting it. */
export async function foresee(request: StartRequest, { format }: Waiting, call: Call): Promise<ToolReply> {
  const { runtime, checked, workspace } = request;
  const { plan, diagnostics } = checked;
  const { signal } = call;
  if (plan === undefined) return refuse(...diagnostics);
  const inputs = toValue(request.inputs);
  if (!inputs.ok) return refuse(problem("bad-inputs", `The inputs can't be used: ${inputs.error}`));
  return unlessCancelled(call, async () => {
    const foreseen = await foreseeRun(runtime, plan, { inputs: inputs.value as ValueMap, workspace, signal });
    if (foreseen.ok) return tell(foreseen.value, "dry_run", format, describeChoice(diagnostics));
    const refused = foreseen.error as RefusedStart;
    return refuseWith(explainStart(refused), adviseOnStart(refused, plan, runtime));
  });
}

/** What would happen, and that it did not because of this argument. */
export function tell(
  dryRun: Parameters<typeof describeDryRun>[0],
  argument: string,
  format: Waiting["format"],
  more: object = {},
): ToolReply {
  const message = `Nothing was run or changed. To run it, make the same call without ${argument}.`;
  return result({ ...describeDryRun(dryRun), message, ...more }, format);
}

export async function unlessCancelled({ signal }: Call, action: () => Promise<ToolReply>): Promise<ToolReply> {
  try {
    return await action();
  } catch (error) {
    if (signal.aborted) return refuse(problem("cancelled", "The dry run was cancelled."));
    throw error;
  }
}
