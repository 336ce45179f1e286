import * as z from "zod";
import { planUndo } from "../../runs/plan-undo.ts";
import { conflictChoices, type UndoOptions, type UndoPlan } from "../../runs/undo-plan.ts";
import { undoRun as undo } from "../../runs/undo-run.ts";
import { describeUndoPlan, explainNothing, type UndoForecast, type UndoneFile } from "../../views/undo-forecast.ts";
import { awaitRun, refuseWhenClosing } from "../await-run.ts";
import { starterOf } from "../call.ts";
import { callText } from "../call-text.ts";
import { driveHere } from "../drive-here.ts";
import { reachRun } from "../reach-run.ts";
import { refuse, result, type ToolReply, usualWaitSeconds, withRemarks } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";
import { runSchema } from "./parameters.ts";

export const undoRun: Tool = defineTool({
  name: "undo_run",
  title: "Undo a run",
  description:
    "Takes back what a run did: restores its files and runs its blocks' `undo`, as a run of its own; undoing that is a redo. Files changed since stay. Says what can't be undone. Next: get_run.",
  toolset: "undo",
  effect: "runs",
  repliesWithRun: true,
  outputSchema: runSchema,
  parameters: () =>
    z.strictObject({
      run_id: z.string().min(1),
      plan: z.boolean().optional().describe("Only tell what it would do"),
      to: z.string().min(1).optional().describe("Block: only what happened after its end"),
      only: z.string().min(1).optional().describe("Block: only what it did"),
      on_conflict: z.enum(conflictChoices).default("keep").describe("For files changed since"),
    }),
  async call(args, call, context) {
    const closing = refuseWhenClosing(context);
    if (!closing.ok) return refuse(closing.error);
    const found = await reachRun(args.run_id, context);
    if (!found.ok) return refuse(found.error);
    const { runId, workspace } = found.value;
    const runtime = context.openRuntime(workspace);
    const how: UndoOptions = { to: args.to, only: args.only, onConflict: args.on_conflict };
    if (args.plan) {
      const plan = await planUndo(runtime, runId, how);
      if (!plan.ok) return refuse(...plan.error);
      return tellPlan(await describeUndoPlan(plan.value, context.platform));
    }
    const startedBy = starterOf(call);
    const begun = await driveHere(
      context,
      (listener) => undo(runtime, runId, { ...how, startedBy, ...listener }),
      ({ run }) => run,
    );
    if (!begun.ok) return refuse(...begun.error);
    const { runId: undoRunId, plan } = begun.value;
    if (undoRunId === undefined) return tellNothing(await describeUndoPlan(plan, context.platform));
    const waiting = { waitSeconds: usualWaitSeconds, format: "minimal" } as const;
    return withRemarks([describeLeft(plan)], await awaitRun(undoRunId, waiting, call, context));
  },
});

/** Longer ones are of little use to a model, and no call reads them in parts. */
const longestText = 8_000;
const mostFiles = 100;

/** Whoever wants to see how files would differ reads what the run changed. */
function tellPlan(forecast: UndoForecast): ToolReply {
  const { files, workflow_yaml: text, ...rest } = forecast;
  if (text === undefined) return tellNothing(forecast);
  const isShort = text.length <= longestText;
  const message = [
    "Nothing was changed. To undo it, make the same call without plan.",
    ...(forecast.origin?.is_redo ? [`That is a redo of ${forecast.origin.run_id}.`] : []),
    ...(isShort ? ["workflow_yaml does the same, and can be edited."] : []),
    ...(files.length > mostFiles ? [`${files.length - mostFiles} more files are not listed.`] : []),
    `Diffs: ${callText("get_run", { run_id: forecast.run_id, include: ["changes"] })}.`,
  ].join(" ");
  const listed = files.slice(0, mostFiles).map(brief);
  return result({ ...rest, files: listed, message, ...(isShort ? { workflow_yaml: text } : {}) });
}

function brief({ path, kind, undo, from, found, by }: UndoneFile): object {
  const moved = from === undefined ? {} : { from };
  return {
    path,
    ...(kind === undefined ? {} : { kind }),
    undo,
    ...moved,
    ...(found === "restorable" ? {} : { found }),
    by,
  };
}

function tellNothing(forecast: UndoForecast): ToolReply {
  const { run_id: runId, undone_by: undone, redone_by: redone, irreversible } = forecast;
  const why = explainNothing(forecast);
  const next =
    undone === undefined
      ? redone === undefined
        ? ""
        : ` ${redone} did it again; to take that back: ${callText("undo_run", { run_id: redone })}.`
      : ` ${undone} took it back; to do it again: ${callText("undo_run", { run_id: undone })}.`;
  const left = irreversible === undefined ? {} : { irreversible };
  return result({ status: "success", run_id: runId, ...left, message: `Nothing to undo: ${why}.${next}` });
}

const mostNames = 10;

function describeLeft({ irreversible, notCaptured }: UndoPlan): string | undefined {
  const all = [...irreversible.map(({ block }) => block), ...notCaptured.map(({ path }) => path)];
  if (all.length === 0) return undefined;
  const more = all.length - mostNames;
  return `Can't be undone: ${all.slice(0, mostNames).join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
}
