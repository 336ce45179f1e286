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
export async function foresee(request: StartRequest, { format }: Waiting, { signal }: Call): Promise<ToolReply> {
  const { runtime, checked, workspace } = request;
  const { plan, diagnostics } = checked;
  if (plan === undefined) return refuse(...diagnostics);
  const inputs = toValue(request.inputs);
  if (!inputs.ok) return refuse(problem("bad-inputs", `The inputs can't be used: ${inputs.error}`));
  try {
    const foreseen = await foreseeRun(runtime, plan, { inputs: inputs.value as ValueMap, workspace, signal });
    if (!foreseen.ok) {
      const refused = foreseen.error as RefusedStart;
      return refuseWith(explainStart(refused), adviseOnStart(refused, plan, runtime));
    }
    return result({ ...describeDryRun(foreseen.value), message: next, ...describeChoice(diagnostics) }, format);
  } catch (error) {
    if (signal.aborted) return refuse(problem("cancelled", "The dry run was cancelled."));
    throw error;
  }
}

const next = "Nothing was run or changed. To run it, make the same call without dry_run.";
