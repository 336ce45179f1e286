import type { Problem } from "../../diagnostic/problem.ts";
import { answerQuestion } from "../../runs/answer-question.ts";
import { collectWhenDue } from "../../runs/collect-garbage.ts";
import { continueRun } from "../../runs/continue-run.ts";
import { driveToRest } from "../../runs/drive-to-rest.ts";
import type { DrivenRun } from "../../runs/driven-run.ts";
import { remarkOn } from "../../runs/kept-answer.ts";
import { findRun } from "../../runs/read-run.ts";
import type { Runtime } from "../../runs/runtime.ts";
import type { TakeOverOptions } from "../../runs/take-over.ts";
import { defined } from "../../util/defined.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { type AddCommand, type CliContext, exitCodes } from "../context.ts";
import type { DriverReport, GivenAnswer } from "../detach-run.ts";
import { listenerOf, silentView } from "../run-view.ts";
import { onInterruptedOption } from "./resume.ts";

interface Options {
  readonly onInterrupted?: NonNullable<TakeOverOptions["onInterrupted"]>;
}

/** What `--detach` starts: it has no terminal, and says once how it began. */
export const addDriveCommand: AddCommand = (program, context, end) => {
  program
    .command("drive", { hidden: true })
    .description("drive a run in the background, until it ends or waits for answers")
    .argument("<run>", "run id")
    .addOption(onInterruptedOption())
    .action(async (runId: string, options: Options) => end(await drive(runId, options, context)));
};

interface Begun {
  readonly run?: DrivenRun;
  readonly remark?: string;
}

async function drive(runId: string, options: Options, context: CliContext): Promise<number> {
  const { platform, drivers } = context;
  const tell = (report: DriverReport): void => drivers.report(JSON.stringify(report));
  const stopped = new AbortController();
  // Also for SIGTERM, which a machine sends that shuts down: whoever wants the run to end cancels it.
  const stopListening = context.onInterrupt(() => stopped.abort());
  try {
    const begun = await begin(runId, options, context);
    if (!begun.ok) {
      tell({ kind: "refused", problem: begun.error });
      return exitCodes.invalid;
    }
    const { run, remark } = begun.value;
    tell({ kind: run === undefined ? "elsewhere" : "driving", ...defined({ remark }) });
    if (run !== undefined) await driveToRest(run, listenerOf(silentView), stopped.signal);
    await collectWhenDue(platform);
    return exitCodes.success;
  } finally {
    stopListening();
  }
}

async function begin(runId: string, options: Options, context: CliContext): Promise<Result<Begun, Problem>> {
  const { variables, task } = context.drivers.readInput();
  context.addVariables(new Map(Object.entries(variables)));
  const found = await findRun(context.platform, runId);
  if (!found.ok) return found;
  const runtime = context.openRuntime(found.value.workspace);
  if (task !== undefined) return answer(runtime, JSON.parse(task) as GivenAnswer, options);
  const run = await continueRun(runtime, runId, takeOverOptions(options));
  return run.ok ? ok(defined({ run: run.value })) : run;
}

async function answer(
  runtime: Runtime,
  { questionId, ...given }: GivenAnswer,
  options: Options,
): Promise<Result<Begun, Problem>> {
  const answered = await answerQuestion(runtime, questionId, given, takeOverOptions(options));
  if (!answered.ok) return err(answered.error);
  const remark = remarkOn(answered.value);
  const run = answered.value.kind === "driven" ? answered.value.run : undefined;
  return ok(defined({ run, remark }));
}

function takeOverOptions({ onInterrupted }: Options): TakeOverOptions {
  return { ...listenerOf(silentView), ...defined({ onInterrupted }) };
}
