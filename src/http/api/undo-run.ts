import * as z from "zod";
import { problem } from "../../diagnostic/problem.ts";
import { refuseWhenClosing } from "../../mcp/await-run.ts";
import { driveHere } from "../../mcp/drive-here.ts";
import { reachRun } from "../../mcp/reach-run.ts";
import { planUndo } from "../../runs/plan-undo.ts";
import { conflictChoices, fileChoices } from "../../runs/undo-plan.ts";
import { undoRun } from "../../runs/undo-run.ts";
import { err, ok } from "../../util/result.ts";
import { describeUndo } from "../../views/page/undo-forecast.ts";
import { defineRoute, type Route } from "../route.ts";
import { runMade, runMadeSchema } from "./run-made.ts";

const path = "/runs/:run/undo";
const scope = {
  to: z.string().min(1).optional().describe("Address of a block: only what happened after its end"),
  only: z.string().min(1).optional().describe("Address of a block: only what it did"),
  on_conflict: z.enum(conflictChoices).default("keep").describe("For files that were changed since"),
};

export const foreseeUndoRoute: Route = defineRoute({
  method: "GET",
  path,
  summary: "What an undo of a run would do, with diffs. Nothing is changed.",
  effect: "reads",
  query: () => z.strictObject(scope),
  gives: () => z.looseObject({ run_id: z.string(), files: z.array(z.looseObject({ path: z.string() })) }),
  async answer({ params, query: { to, only, on_conflict: onConflict } }, context) {
    const run = await reachRun(params.run ?? "", context);
    if (!run.ok) return run;
    const { runId, workspace } = run.value;
    const plan = await planUndo(context.openRuntime(workspace), runId, { to, only, onConflict });
    return plan.ok ? ok(await describeUndo(plan.value, context.platform)) : plan;
  },
});

export const undoRunRoute: Route = defineRoute({
  method: "POST",
  path,
  summary: "Takes back what a run did, by a run of its own; undoing that does it again.",
  effect: "acts",
  body: () =>
    z.strictObject({
      ...scope,
      on_conflict_of: z
        .record(z.string(), z.enum(fileChoices))
        .default({})
        .describe("For some of those files, by their paths, instead"),
    }),
  gives: runMadeSchema,
  async answer({ params, body, visitor }, context) {
    const { to, only, on_conflict: onConflict, on_conflict_of: onConflictOf } = body;
    const closing = refuseWhenClosing(context);
    if (!closing.ok) return closing;
    const run = await reachRun(params.run ?? "", context);
    if (!run.ok) return run;
    const { runId, workspace } = run.value;
    const how = { to, only, onConflict, onConflictOf, startedBy: visitor.name };
    const begun = await driveHere(
      context,
      (listener) => undoRun(context.openRuntime(workspace), runId, { ...how, ...listener }),
      ({ run: made }) => made,
    );
    if (!begun.ok) return begun;
    const { runId: made, plan } = begun.value;
    if (made !== undefined) return runMade(made);
    const { nothing } = await describeUndo(plan, context.platform);
    return err(problem("nothing-to-undo", `There is nothing to undo: ${nothing}.`));
  },
});
