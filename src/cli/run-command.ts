import { InvalidArgumentError, Option } from "commander";
import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { paint } from "../diagnostic/style.ts";
import type { InputProblem } from "../run/bind-inputs.ts";
import type { Runner } from "../run/runner.ts";
import { readInputs } from "../service/read-inputs.ts";
import { describeRun, type WorkflowResponse } from "../service/response.ts";
import { startRun } from "../service/start-run.ts";
import { askPending } from "./ask-pending.ts";
import { type AddCommand, type CliContext, exitCodes, openWorkspace } from "./context.ts";
import { LiveView } from "./live-view.ts";
import { PlainView } from "./plain-view.ts";
import { countOf, printJson, refuse } from "./print-diagnostics.ts";
import { printResult } from "./print-result.ts";
import { type RunView, silentView } from "./run-view.ts";
import type { Terminal } from "./terminal.ts";

interface Options {
  readonly input?: readonly string[];
  readonly inputs?: string;
  readonly workspace: string;
  readonly json?: true;
  readonly detailed?: true;
  readonly maxParallel?: number;
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
    .option("--json", "print one JSON document when it ends")
    .option("--detailed", "with --json: include every block's record")
    .action(async (target: string, options: Options) => end(await runWorkflow(target, options, context)));
};

function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new InvalidArgumentError("It must be a whole number above 0.");
}

async function runWorkflow(target: string, options: Options, context: CliContext): Promise<number> {
  const { terminal } = context;
  const json = options.json === true;
  const opened = openWorkspace(options.workspace, context);
  if (!opened.ok) return refuse(opened.error, json, terminal);
  const { workspace, engine } = opened.value;
  const { plan, diagnostics } = engine.workflows.findTarget(target);
  if (plan === undefined) return refuse(withoutHints(diagnostics), json, terminal);
  const given = { pairs: options.input ?? [], ...(options.inputs === undefined ? {} : { file: options.inputs }) };
  const inputs = readInputs(given, plan, engine.workflows);
  if (!inputs.ok) return refuse(inputs.error, json, terminal);
  let view = chooseView(options, context);
  const run = startRun(engine, plan, {
    inputs: inputs.value,
    workspace,
    ...(options.maxParallel === undefined ? {} : { maxParallel: options.maxParallel }),
    onEvents: (events) => view.onEvents(events),
    onOutput: (path, stream, chunk) => view.onOutput(path, stream, chunk),
  });
  if (!run.ok) return refuse(run.error.map(explainProblem), json, terminal);
  if (!json) mentionWarnings(diagnostics, target, terminal);
  const response = await drive(run.value, view, options, context);
  if (json) printJson(response, terminal);
  else printResult(response, terminal);
  if (response.status === "paused") {
    view = silentView;
    await abandon(run.value);
  }
  return exitCodeOf(response);
}

function withoutHints(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ level }) => level !== "hint");
}

/** A sound workflow runs; what could be better about it has a command of its own. */
function mentionWarnings(diagnostics: readonly Diagnostic[], target: string, terminal: Terminal): void {
  const warnings = diagnostics.filter(({ level }) => level === "warning");
  if (warnings.length === 0) return;
  const about = `${countOf(warnings.length, "warning")} about ${target}: see \`frond validate ${target}\`.`;
  terminal.writeError(paint(`${about}\n`, "dim", terminal.errorColour));
}

/** A problem with the inputs, with what to do about it here. */
function explainProblem({ input, ...problem }: InputProblem): Diagnostic {
  const fix =
    problem.code === "missing-input" ? { fix: `Add --input ${input}=VALUE, or put it into --inputs FILE.` } : {};
  return { level: "error", ...problem, ...fix };
}

function chooseView(options: Options, { terminal }: CliContext): RunView {
  if (options.json) return silentView;
  return terminal.isInteractive ? new LiveView(terminal) : new PlainView(terminal);
}

/** Drives the run to its end, asking what it asks if there is somebody to ask. */
async function drive(run: Runner, view: RunView, options: Options, context: CliContext): Promise<WorkflowResponse> {
  const { terminal } = context;
  const interrupted = new AbortController();
  const stopListening = listenForInterrupts(context, (again) => {
    interrupted.abort();
    view.say(again ? "Killing what is left." : "Cancelling: running blocks are told to stop. Ctrl-C again kills them.");
    run.cancel("cancelled", true);
  });
  try {
    const canAsk = terminal.canAsk && options.json !== true;
    view.begin(run.state);
    while ((await run.drive()) === "paused") {
      view.makeRoom();
      if (!canAsk || !(await askPending(run, terminal, interrupted.signal))) break;
      view.begin(run.state);
    }
    return describeRun(run.state, options.detailed ? "detailed" : "minimal");
  } finally {
    view.end();
    stopListening();
  }
}

/** After KILL only something that is no process can still keep the run from ending. */
const patienceAfterKillMs = 3000;

/** Asked once to stop, running blocks get their grace; asked twice, every process is killed at once. */
function listenForInterrupts(context: CliContext, onInterrupt: (again: boolean) => void): () => void {
  let interrupts = 0;
  let lastResort: NodeJS.Timeout | undefined;
  const stopListening = context.onInterrupt(() => {
    interrupts++;
    if (interrupts <= 2) onInterrupt(interrupts === 2);
    if (interrupts < 2) return;
    lastResort ??= setTimeout(() => process.exit(exitCodes.cancelled), patienceAfterKillMs);
    void context.outside.ports.processes.close(0);
  });
  return () => {
    stopListening();
    clearTimeout(lastResort);
  };
}

/** A run that waits ends with the process, so what it holds (its scratch directory, what runs in the background) is given back. */
async function abandon(run: Runner): Promise<void> {
  run.cancel("abandoned", false);
  await run.drive();
}

function exitCodeOf({ status, cancelled }: WorkflowResponse): number {
  if (cancelled) return exitCodes.cancelled;
  if (status === "paused") return exitCodes.paused;
  return status === "success" ? exitCodes.success : exitCodes.failure;
}
