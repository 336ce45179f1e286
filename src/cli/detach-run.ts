import { Option } from "commander";
import { type Problem, problem } from "../diagnostic/problem.ts";
import { paint } from "../diagnostic/style.ts";
import type { Answer } from "../runs/answer-question.ts";
import { findRun } from "../runs/read-run.ts";
import type { Runtime } from "../runs/runtime.ts";
import { type CliContext, type Drivers, exitCodes } from "./context.ts";
import type { ShowOptions } from "./drive-run.ts";
import { printJson, refuse } from "./print-diagnostics.ts";
import { reportStored } from "./report-stored.ts";
import { cleanLine, cleanText } from "./text/visible-text.ts";

/** What a process in the background tells whoever has started it. */
export type DriverReport =
  | { readonly kind: "driving"; readonly remark?: string }
  /** Another process drives the run, or it waits for answers. */
  | { readonly kind: "elsewhere"; readonly remark?: string }
  | { readonly kind: "refused"; readonly problem: Problem };

/** What such a process is to answer before it drives the run. */
export interface GivenAnswer extends Answer {
  readonly questionId: string;
}

export function detachOption(): Option {
  return new Option(
    "-d, --detach",
    "let a process in the background drive the run, and print its id; it outlives the terminal",
  ).conflicts("detailed");
}

export interface DriverTask {
  /** Options of the command. */
  readonly how?: readonly string[];
  readonly answer?: GivenAnswer;
}

export function startDriver(
  runId: string,
  { how = [], answer }: DriverTask,
  drivers: Drivers,
): ReturnType<Drivers["start"]> {
  return drivers.start(runId, ["drive", ...how, "--", runId], answer && JSON.stringify(answer));
}

/**
 * Has a run driven by another process; says which it is and how to go on. The answer is the exit code. A run that was just started is on
 * record first, held by nobody: whenever we are killed, either there is no run and nothing was said, or there is one that the other
 * process drives or that anybody can resume. A process that started the run by itself would have to be told everything that was checked
 * and asked here, and do it again.
 */
export async function driveInBackground(
  runtime: Runtime,
  runId: string,
  task: DriverTask,
  options: ShowOptions,
  context: CliContext,
): Promise<number> {
  const { terminal, drivers } = context;
  const json = options.json === true;
  const started = await startDriver(runId, task, drivers);
  if (!started.ok || started.value.report === "") {
    const why = started.ok ? drivers.lastWords(runId) : started.error;
    const message = `No process could be started that drives ${runId}, which is on record.`;
    const fix = `Fix that, then run: frond resume ${runId}`;
    refuse(
      [{ ...problem("not-detached", message, fix), ...(why === "" ? {} : { why: cleanText(why) }) }],
      json,
      terminal,
    );
    return exitCodes.failure;
  }
  const { pid } = started.value;
  const report = JSON.parse(started.value.report) as DriverReport;
  if (report.kind === "refused") return refuse([report.problem], json, terminal);
  const { remark } = report;
  if (remark !== undefined && !json) terminal.writeError(`${cleanLine(remark)}\n`);
  if (report.kind === "elsewhere") return reportStored(runtime, runId, options, context, remark);
  const found = await findRun(context.platform, runId);
  const workflow = found.ok ? found.value.workflow : "";
  const message = [remark, `Watch it with: frond attach ${runId}`].filter((text) => text !== undefined).join(" ");
  if (json) {
    printJson({ status: "running", run_id: runId, workflow, pid, message }, terminal);
    return exitCodes.success;
  }
  // The id alone is the result, for `id=$(frond run -d deploy)`.
  terminal.write(`${runId}\n`);
  const lines = [
    `${cleanLine(workflow)} goes on in the background.`,
    `  Watch it with: frond attach ${runId}`,
    `  See what it writes with: frond logs ${runId} -f`,
    `  End it with: frond cancel ${runId}`,
  ];
  terminal.writeError(paint(`${lines.join("\n")}\n`, "dim", terminal.errorColour));
  return exitCodes.success;
}
