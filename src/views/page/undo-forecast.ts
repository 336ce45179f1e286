import type { Platform } from "../../runs/platform.ts";
import type { UndoPlan } from "../../runs/undo-plan.ts";
import { defined } from "../../util/defined.ts";
import { describeUndoPlan, explainNothing } from "../undo-forecast.ts";
import type { PageUndo } from "./act-records.ts";
import { groupUndo } from "./undo-groups.ts";

/** What an undo would do, for the page. */
export async function describeUndo(plan: UndoPlan, platform: Platform): Promise<PageUndo> {
  const forecast = await describeUndoPlan(plan, platform, { withConflicts: true });
  const { run_id, files, moves, refs, compensations, irreversible, not_captured, undone_by, origin } = forecast;
  const nothing = plan.blocks === 0 ? explainNothing(forecast) : undefined;
  return groupUndo({
    run_id,
    workflow: plan.workflow,
    files,
    ...defined({ nothing, moves, refs, compensations, irreversible, not_captured, undone_by }),
    ...(origin?.is_redo ? { is_redo: true } : {}),
  });
}
