import { Option } from "commander";
import { type Problem, problem } from "../../diagnostic/problem.ts";
import { paint } from "../../diagnostic/style.ts";
import { findRunId } from "../../runs/find-run-id.ts";
import { planUndo } from "../../runs/plan-undo.ts";
import { findRun, type RunStatus, statusOf } from "../../runs/read-run.ts";
import { conflictChoices, type OnConflict, type UndoOptions } from "../../runs/undo-plan.ts";
import { undoRun } from "../../runs/undo-run.ts";
import { describeUndoPlan, explainNothing, type UndoForecast } from "../../views/undo-forecast.ts";
import { adviseCommand } from "../advise-command.ts";
import { chooseView } from "../choose-view.ts";
import { type AddCommand, type CliContext, exitCodes } from "../context.ts";
import { drawUndo, summariseUndo } from "../drawing/draw-undo.ts";
import { driveAndReport, type ShowOptions } from "../drive-run.ts";
import { leaveToWorkers } from "../leave-to-workers.ts";
import { undoCommand } from "../next-steps.ts";
import { logsOption, verboseOption } from "../options/logs-options.ts";
import { drawDiffs } from "../print-changes.ts";
import { printJson, refuse } from "../print-diagnostics.ts";
import { askWhether } from "../prompts.ts";
import { listenerOf } from "../run-view.ts";
import { lineWidth } from "../text/lay-out-table.ts";
import { cleanLine } from "../text/visible-text.ts";
import { wrapMessage } from "../text/wrap-message.ts";
import { whoStarts } from "../who-starts.ts";

interface Options extends ShowOptions {
  readonly plan?: true;
  readonly diff?: true;
  readonly to?: string;
  readonly only?: string;
  readonly onConflict: OnConflict;
  readonly yes?: true;
}

export const addUndoCommand: AddCommand = (program, context, end) => {
  program
    .command("undo")
    .description("take back what a run did: shows first what comes back and what can't, then asks")
    .argument("<run>", "run id, the beginning of one, or `last`; an undo is a run, and undoing that is a redo")
    .addOption(
      new Option("--to <block>", "go back to the end of this block: only what happened after it").conflicts("only"),
    )
    .option("--only <block>", "only what this block did, and what is inside it")
    .addOption(
      new Option(
        "--on-conflict <what>",
        "what becomes of a file that was changed since: it stays, both changes are merged, you are asked, or it is replaced",
      )
        .choices(conflictChoices)
        .default("keep"),
    )
    .option("--diff", "show how files would differ as well")
    .addOption(
      new Option("--plan", "print the undo as a workflow, to read, edit, save and run; nothing is changed").conflicts(
        "yes",
      ),
    )
    .option("-y, --yes", "do not ask")
    .addOption(logsOption())
    .addOption(verboseOption())
    .option("--json", "print one JSON document; needs --yes or --plan")
    .action(async (run: string, options: Options) => end(await undo(run, options, context)));
};

async function undo(run: string, options: Options, context: CliContext): Promise<number> {
  const { platform, terminal, openRuntime } = context;
  const json = options.json === true;
  const runId = await findRunId(platform, run);
  if (!runId.ok) return refuse([runId.error], json, terminal);
  const found = await findRun(platform, runId.value);
  if (!found.ok) return refuse([found.error], json, terminal);
  const runtime = openRuntime(found.value.workspace);
  const how: UndoOptions = { to: options.to, only: options.only, onConflict: options.onConflict };
  const planned = await planUndo(runtime, runId.value, how);
  if (!planned.ok) return refuse(planned.error, json, terminal);
  const forecast = await describeUndoPlan(planned.value, platform);
  const title = nameRun(found.value.workflow, runId.value, context);
  if (options.plan && !json && forecast.workflow_yaml === undefined) {
    terminal.writeError(`Nothing to undo in ${title}: ${explainNothing(forecast)}.\n`);
    return exitCodes.success;
  }
  if (options.plan) return printPlan(forecast, options, context);
  if (forecast.workflow_yaml === undefined) return sayNothingToUndo(title, forecast, options, context);
  const { origin } = forecast;
  if (!json) {
    showForecast(
      origin === undefined ? `Undo of ${title}` : nameAgain(origin, runId.value, context),
      forecast,
      options,
      context,
    );
    const note = describeWaiting(statusOf(found.value, platform));
    if (note !== undefined) terminal.write(`${note}\n`);
  }
  if (options.yes !== true && (json || !terminal.canAsk)) return refuse([needsYes(runId.value, how)], json, terminal);
  if (options.yes !== true && !(await askWhether(origin?.is_redo ? "Redo it?" : "Undo it?", context))) {
    terminal.writeError("Nothing was changed.\n");
    return exitCodes.invalid;
  }
  const view = chooseView(options, context);
  const startedBy = whoStarts(undefined, context);
  const begun = await undoRun(runtime, runId.value, { ...how, startedBy, ...listenerOf(view) });
  if (!begun.ok) return refuse(begun.error, json, terminal);
  // What there was to undo has gone meanwhile: a run that is ended may roll itself back.
  const { runId: undoRunId, run: driven } = begun.value;
  if (undoRunId === undefined) {
    return sayNothingToUndo(title, await describeUndoPlan(begun.value.plan, platform), options, context);
  }
  if (driven === undefined) return leaveToWorkers(undoRunId, options, context);
  return driveAndReport(runtime, driven, view, options, context);
}

function nameRun(workflow: string, runId: string, { terminal }: CliContext): string {
  return `${paint(cleanLine(workflow), "bold", terminal.colour)} ${runId}`;
}

/** What undoing an undo, or a redo, means for the run that was undone first. */
function nameAgain(origin: NonNullable<UndoForecast["origin"]>, undone: string, context: CliContext): string {
  const { run_id: runId, workflow, is_redo: isRedo } = origin;
  const run = workflow === undefined ? runId : nameRun(workflow, runId, context);
  return isRedo ? `Redo of ${run} (undoes the undo ${undone})` : `Undo of ${run} (undoes the redo ${undone})`;
}

/** One that waits would go on with what is gone. */
function describeWaiting(status: RunStatus): string | undefined {
  return status === "success" || status === "failure" ? undefined : `It is still ${status}: it is cancelled first.`;
}

function needsYes(runId: string, how: UndoOptions): Problem {
  const fix = `Add --yes, or save it as a workflow: \`${undoCommand(runId, how)} --plan\`.`;
  return problem("needs-yes", "An undo changes files, and nobody can be asked here.", fix);
}

function printPlan(forecast: UndoForecast, options: Options, { terminal }: CliContext): number {
  const { workflow_yaml: text = "" } = forecast;
  if (options.json) printJson(forecast, terminal);
  else {
    terminal.writeBytes(Buffer.from(text));
    const diffs = options.diff ? drawDiffs(forecast.files, terminal.errorColour) : [];
    const said = summariseUndo(forecast, options.onConflict);
    for (const line of [...diffs, ...wrapMessage(said, lineWidth(terminal))]) terminal.writeError(`${line}\n`);
  }
  return exitCodes.success;
}

function sayNothingToUndo(run: string, forecast: UndoForecast, options: Options, context: CliContext): number {
  const { terminal } = context;
  if (options.json) {
    printJson(forecast, terminal);
    return exitCodes.success;
  }
  const { undone_by: undone, redone_by: redone } = forecast;
  const title = `Nothing to undo in ${run}: ${explainNothing(forecast)}.`;
  showForecast(title, { ...forecast, files: [] }, options, context);
  const advice = [
    ...(undone === undefined
      ? []
      : adviseCommand(`${undone} took it back. To do it again:`, `frond undo ${undone}`, terminal)),
    ...(redone === undefined
      ? []
      : adviseCommand(`${redone} did it again. To take that back:`, `frond undo ${redone}`, terminal)),
  ];
  for (const line of advice) terminal.write(`${line}\n`);
  return exitCodes.success;
}

function showForecast(title: string, forecast: UndoForecast, options: Options, { terminal }: CliContext): void {
  const sections = drawUndo(forecast, options.onConflict, terminal);
  const diffs = options.diff ? drawDiffs(forecast.files, terminal.colour) : [];
  const lines = [
    ...wrapMessage(title, lineWidth(terminal)),
    ...(sections.length === 0 ? [] : ["", ...sections]),
    ...(diffs.length === 0 ? [] : ["", ...diffs]),
    "",
    ...wrapMessage(summariseUndo(forecast, options.onConflict), lineWidth(terminal)),
  ];
  terminal.write(`${lines.join("\n").trimEnd()}\n`);
}
