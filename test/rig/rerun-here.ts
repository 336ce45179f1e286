import type { Diagnostic } from "../../src/diagnostic/diagnostic.ts";
import type { DrivenRun } from "../../src/runs/driven-run.ts";
import { type Rerun, rerunRun } from "../../src/runs/rerun-run.ts";
import { ok, type Result } from "../../src/util/result.ts";

/** A rerun that is driven by the process that asks for it. */
export async function rerunHere(
  ...asked: Parameters<typeof rerunRun>
): Promise<Result<Rerun & { readonly run: DrivenRun }, readonly Diagnostic[]>> {
  const begun = await rerunRun(...asked);
  if (!begun.ok) return begun;
  const { run } = begun.value;
  if (run === undefined) throw new Error(`${begun.value.runId} is left to workers.`);
  return ok({ ...begun.value, run });
}
