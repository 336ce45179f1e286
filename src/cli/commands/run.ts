import { Option } from "commander";
import type { Diagnostic } from "../../diagnostic/diagnostic.ts";
import { type Problem, problem } from "../../diagnostic/problem.ts";
import { paint } from "../../diagnostic/style.ts";
import { isAboutChoice } from "../../library/describe-trust.ts";
import { readInputs } from "../../library/read-inputs.ts";
import type { CheckedWorkflow } from "../../library/workflows.ts";
import { queueOf } from "../../runs/choose-queue.ts";
import { explainStart } from "../../runs/explain-start.ts";
import { findRunId } from "../../runs/find-run-id.ts";
import { foreseeRun } from "../../runs/foresee-run.ts";
import { findRun, statusOf } from "../../runs/read-run.ts";
import type { Runtime } from "../../runs/runtime.ts";
import { queueRun, recordRun, type StartProblem, startRun } from "../../runs/start-run.ts";
import { defined } from "../../util/defined.ts";
import { quoteWord } from "../../util/quote-word.ts";
import { describeDryRun } from "../../views/dry-run.ts";
import { listRuns } from "../../views/list-runs.ts";
import { askForTrust, refuseUntrusted, type TrustAnswer } from "../ask-for-trust.ts";
import { chooseView } from "../choose-view.ts";
import { type AddCommand, type CliContext, exitCodes, openWorkspace } from "../context.ts";
import { detachOption, driveInBackground } from "../detach-run.ts";
import { driveAndReport, type ShowOptions } from "../drive-run.ts";
import { leaveToWorkers } from "../leave-to-workers.ts";
import { askedBudget, type BudgetOptions, budgetOption, maxCostOption } from "../options/budget-option.ts";
import { type DotenvOptions, dotenvOption, takeDotenv } from "../options/dotenv-option.ts";
import { logsOption, verboseOption } from "../options/logs-options.ts";
import { parseCount } from "../options/parse-count.ts";
import { countOf, printDiagnostics, printJson, refuse } from "../print-diagnostics.ts";
import { reportDryRun } from "../print-dry-run.ts";
import { reportStored } from "../report-stored.ts";
import { listenerOf } from "../run-view.ts";
import type { Terminal } from "../terminal.ts";
import { cleanLine } from "../text/visible-text.ts";
import { parseStarter, whoStarts } from "../who-starts.ts";
import { foretellRerun, startRerun } from "./rerun.ts";

type Plan = NonNullable<CheckedWorkflow["plan"]>;

interface Options extends ShowOptions, DotenvOptions, BudgetOptions {
  readonly input?: readonly string[];
  readonly inputs?: string;
  readonly workspace: string;
  readonly maxParallel?: number;
  readonly idempotencyKey?: string;
  readonly sandbox?: true;
  readonly observe?: true;
  readonly reuse?: string;
  readonly dryRun?: true;
  readonly skipIfRunning?: true;
  readonly startedBy?: string;
  readonly detach?: true;
  readonly remote?: true;
}

export const addRunCommand: AddCommand = (program, context, end) => {
  program
    .command("run")
    .description("run a workflow, by name or from a file")
    .argument("<workflow>", "workflow name, or path of a workflow file")
    .addOption(
      new Option("-i, --input <name=value>", "an input, read as its declared type; may be repeated").argParser(
        (pair: string, pairs: readonly string[] = []) => [...pairs, pair],
      ),
    )
    .option("--inputs <file>", "JSON or YAML file with inputs; --input wins over it")
    .option("--workspace <dir>", "directory to work in", ".")
    .option("--max-parallel <n>", "how many blocks may run at the same time", parseCount)
    .option("--idempotency-key <key>", "the same key for the same workflow here is the same run: it is not run twice")
    .option("--sandbox", "run every command in a sandbox without network, whatever the workflow says; needs bubblewrap")
    .addOption(budgetOption())
    .addOption(maxCostOption())
    .option("--observe", "look for what every command changes in the workspace, so that it can be undone")
    .addOption(
      new Option(
        "--reuse <run>",
        "reuse the results of this run that are still right; inputs that are not given are its own",
        // It goes on where that run worked, as that run did.
      ).conflicts(["workspace", "maxParallel", "idempotencyKey", "sandbox", "observe", "budget", "maxCost"]),
    )
    .addOption(
      new Option(
        "--dry-run",
        "only show what would run, and how files would change; nothing is run or changed",
      ).conflicts(["idempotencyKey", "detailed"]),
    )
    .addOption(
      new Option(
        "--skip-if-running",
        "start nothing while another run of the workflow is going in this directory; those that wait do not count",
      ).conflicts(["reuse", "dryRun"]),
    )
    .option(
      "--started-by <who>",
      "who starts it, for `frond runs` and `frond show`; else `terminal`, `github actions` or `command line`",
      parseStarter,
    )
    .addOption(dotenvOption())
    .addOption(logsOption())
    .addOption(verboseOption())
    .addOption(detachOption().conflicts("dryRun"))
    .addOption(
      new Option(
        "--remote",
        "leave the run to workers (`frond worker`) and watch it; Ctrl-C only stops watching; with -d, print its id and end. Needs FROND_DATABASE_URL",
      ).conflicts(["dryRun", "reuse"]),
    )
    .option("--json", "print one JSON document when it ends; with -d, when the run is under way")
    .option("--detailed", "with --json: include every block's record")
    .action(async (target: string, options: Options) => end(await runWorkflow(target, options, context)));
};

async function runWorkflow(target: string, options: Options, context: CliContext): Promise<number> {
  const { terminal } = context;
  const json = options.json === true;
  if (options.remote && context.platform.dispatch === undefined) return refuse([noWorkers], json, terminal);
  const refused = takeDotenv(options, json, context);
  if (refused !== undefined) return refused;
  const opened = openWorkspace(options.workspace, context);
  if (!opened.ok) return refuse(opened.error, json, terminal);
  const { workspace } = opened.value;
  let { runtime } = opened.value;
  let found = runtime.workflows.findTarget(target);
  let answer: TrustAnswer = "not asked";
  while (found.plan === undefined && !json) {
    answer = await askForTrust(found.diagnostics, context);
    if (answer !== "trusted") break;
    runtime = context.openRuntime(workspace);
    found = runtime.workflows.findTarget(target);
  }
  const { plan, diagnostics } = found;
  if (plan === undefined) return refuseUntrusted(withoutHints(diagnostics), answer, json, context);
  const given = { pairs: options.input ?? [], ...defined({ file: options.inputs }) };
  if (options.reuse !== undefined) {
    const runId = await findRunId(context.platform, options.reuse, workspace);
    if (!runId.ok) return refuse([runId.error], json, terminal);
    const elsewhere = await refuseElsewhere(runId.value, target, workspace, context);
    if (elsewhere !== undefined) return refuse([elsewhere], json, terminal);
    const startedBy = whoStarts(options.startedBy, context);
    const how = { workflow: found, inputs: (of: Plan) => readInputs(given, of, runtime.workflows), startedBy };
    const ended = options.dryRun
      ? await foretellRerun(runtime, runId.value, how, json, context)
      : await startRerun(runtime, runId.value, how, options, context);
    return typeof ended === "number" ? ended : refuse(ended, json, terminal);
  }
  const inputs = readInputs(given, plan, runtime.workflows);
  if (!inputs.ok) return refuse(inputs.error, json, terminal);
  const start = {
    inputs: inputs.value,
    workspace,
    startedBy: whoStarts(options.startedBy, context),
    ...defined({ maxParallel: options.maxParallel, idempotencyKey: options.idempotencyKey, observe: options.observe }),
    ...defined({ budget: askedBudget(options), traceParent: context.traceParent }),
    ...(options.sandbox ? { sandbox: { network: "none" } as const } : {}),
  };
  if (options.dryRun) {
    const foreseen = await foreseeRun(runtime, plan, { ...start, signal: new AbortController().signal });
    if (!foreseen.ok) return refuseStart(foreseen.error, options, context, runtime);
    if (!json) mentionWarnings(diagnostics, target, terminal);
    return reportDryRun(describeDryRun(foreseen.value), json, terminal);
  }
  const running = options.skipIfRunning ? await findRunning(plan.definition.name, workspace, context) : undefined;
  if (running !== undefined) {
    const message = `Skipped: ${running} of ${cleanLine(plan.definition.name)} is still running here.`;
    if (json) printJson({ status: "skipped", run_id: running, message }, terminal);
    else terminal.write(`${message}\n`);
    return exitCodes.success;
  }
  if (options.remote) {
    const queued = await queueRun(runtime, plan, { ...start, queue: queueOf(plan.definition, context.platform.host) });
    if (!queued.ok) return refuseStart(queued.error, options, context, runtime);
    if (!json) mentionWarnings(diagnostics, target, terminal);
    return leaveToWorkers(queued.value, options, context);
  }
  const mention = (): void => {
    if (json) return;
    mentionWarnings(diagnostics, target, terminal);
    if (plan.definition.workspace !== undefined) mentionWorkspace(workspace, terminal);
  };
  if (options.detach) {
    const recorded = await recordRun(runtime, plan, start);
    if (!recorded.ok) return refuseStart(recorded.error, options, context, runtime);
    mention();
    return driveInBackground(runtime, recorded.value.started.runId, {}, options, context);
  }
  const view = chooseView(options, context);
  const run = await startRun(runtime, plan, { ...start, ...listenerOf(view) });
  if (!run.ok) return refuseStart(run.error, options, context, runtime);
  mention();
  return driveAndReport(runtime, run.value, view, options, context);
}

/** Whoever starts it here has their files here. */
function mentionWorkspace(workspace: string, terminal: Terminal): void {
  terminal.writeError(
    `It works in ${cleanLine(workspace)}: \`workspace\` of the workflow is for runs that workers take.\n`,
  );
}

const noWorkers = problem(
  "no-dispatch",
  "--remote leaves the run to workers, and this process knows of none.",
  "Set FROND_DATABASE_URL to the database that the workers use; or leave --remote out, to run it here.",
);

async function findRunning(workflow: string, workspace: string, { platform }: CliContext): Promise<string | undefined> {
  const isWanted = (directory: string): boolean => directory === workspace;
  const { runs } = await listRuns(platform, {
    statuses: ["running", "queued"],
    workflows: [workflow],
    limit: 1,
    isWanted,
  });
  return runs[0]?.summary.runId;
}

/** What a run did in another directory is not there for one that works here. */
async function refuseElsewhere(
  runId: string,
  target: string,
  workspace: string,
  { platform }: CliContext,
): Promise<Problem | undefined> {
  const before = await findRun(platform, runId);
  if (!before.ok) return before.error;
  if (before.value.workspace === workspace) return undefined;
  const fix = `\`frond rerun ${runId} --file ${quoteWord(target, "posix")}\` goes on there.`;
  return problem("other-workspace", `${runId} worked in ${before.value.workspace}, not in ${workspace}.`, fix);
}

/** A repeated key gives the run that has it, as it stands now. */
async function refuseStart(
  problem: StartProblem,
  options: Options,
  context: CliContext,
  runtime: Runtime,
): Promise<number> {
  if (problem.kind === "exists") {
    const { runId } = problem;
    if (!options.detach || options.json) return reportStored(runtime, runId, options, context);
    // The id alone is the result, as of one that is new.
    context.terminal.write(`${runId}\n`);
    const found = await findRun(context.platform, runId);
    const status = found.ok ? `, and is ${statusOf(found.value, context.platform)}` : "";
    const about = `The run with this key exists already${status}.\n  See it with: frond show ${runId}\n`;
    context.terminal.writeError(paint(about, "dim", context.terminal.errorColour));
    return exitCodes.success;
  }
  return refuse(explainStart(problem), options.json === true, context.terminal);
}

function withoutHints(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ level }) => level !== "hint");
}

/** A sound workflow runs; what could be better about it has a command of its own. */
function mentionWarnings(diagnostics: readonly Diagnostic[], target: string, terminal: Terminal): void {
  // Which workflow runs is not for later.
  printDiagnostics(diagnostics.filter(isAboutChoice), terminal);
  const warnings = diagnostics.filter((found) => found.level === "warning" && !isAboutChoice(found));
  if (warnings.length === 0) return;
  const name = cleanLine(target);
  const about = `${countOf(warnings.length, "warning")} about ${name}: see \`frond validate ${quoteWord(name, "posix")}\`.`;
  terminal.writeError(paint(`${about}\n`, "dim", terminal.errorColour));
}
