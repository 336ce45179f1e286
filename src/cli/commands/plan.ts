import { Argument, Option } from "commander";
import { toData } from "../../diagnostic/diagnostic.ts";
import { type Problem, problem } from "../../diagnostic/problem.ts";
import { paint } from "../../diagnostic/style.ts";
import { readInputs } from "../../library/read-inputs.ts";
import { type OpenedPlan, openPlan } from "../../plans/open-plan.ts";
import { failureChoices } from "../../plans/structured-plan.ts";
import { explainStart, type RefusedStart } from "../../runs/explain-start.ts";
import { foreseeRun } from "../../runs/foresee-run.ts";
import type { Runtime } from "../../runs/runtime.ts";
import { recordRun, startRun } from "../../runs/start-run.ts";
import { defined } from "../../util/defined.ts";
import { quoteWord } from "../../util/quote-word.ts";
import { inSlices } from "../../util/time-slice.ts";
import { describeDryRun } from "../../views/dry-run.ts";
import { chooseView } from "../choose-view.ts";
import { type AddCommand, type CliContext, exitCodes, openWorkspace } from "../context.ts";
import { detachOption, driveInBackground } from "../detach-run.ts";
import { driveAndReport, type ShowOptions } from "../drive-run.ts";
import { askedBudget, type BudgetOptions, budgetOption, maxCostOption } from "../options/budget-option.ts";
import { type DotenvOptions, dotenvOption, takeDotenv } from "../options/dotenv-option.ts";
import { logsOption, verboseOption } from "../options/logs-options.ts";
import { countOf, explainForTerminal, printDiagnostics, printJson, refuse } from "../print-diagnostics.ts";
import { reportDryRun } from "../print-dry-run.ts";
import { readGivenText } from "../read-given-text.ts";
import { listenerOf } from "../run-view.ts";
import { cleanLine } from "../text/visible-text.ts";
import { whoStarts } from "../who-starts.ts";
import { writeGivenFile } from "../write-given-file.ts";
import { saveText } from "./save.ts";

const deeds = ["run", "compile", "check"] as const;
type Deed = (typeof deeds)[number];

interface Options extends ShowOptions, DotenvOptions, BudgetOptions {
  readonly input?: readonly string[];
  readonly inputs?: string;
  readonly workspace: string;
  readonly onFailure?: (typeof failureChoices)[number];
  readonly dryRun?: true;
  readonly detach?: true;
  readonly output?: string;
  readonly save?: true;
  readonly overwrite?: true;
}

export const addPlanCommand: AddCommand = (program, context, end) => {
  program
    .command("plan")
    .description("run a plan of steps that a model wrote, show the workflow that it comes to, or check it")
    .addArgument(new Argument("<what>", "what to do with it").choices(deeds))
    .argument("<plan>", "file with the plan, as JSON or YAML, or a text around it; - for standard input")
    .addOption(
      new Option("-i, --input <name=value>", "run: an input that the plan declares; may be repeated").argParser(
        (pair: string, pairs: readonly string[] = []) => [...pairs, pair],
      ),
    )
    .option("--inputs <file>", "run: JSON or YAML file with inputs; --input wins over it")
    .option("--workspace <dir>", "directory to work in", ".")
    .addOption(
      new Option("--on-failure <what>", "what a failed step leads to (default: rollback)").choices(failureChoices),
    )
    .addOption(
      new Option(
        "--dry-run",
        "run: only show what would run, and how files would change; nothing is run or changed",
      ).conflicts("detailed"),
    )
    .addOption(budgetOption())
    .addOption(maxCostOption())
    .option("-o, --output <file>", "compile: write the workflow to this file")
    .addOption(new Option("--save", "compile: keep it in the .frond/workflows of the project").conflicts("output"))
    .option("--overwrite", "compile --save: replace a trusted workflow of this name")
    .addOption(dotenvOption())
    .addOption(logsOption())
    .addOption(verboseOption())
    .addOption(detachOption().conflicts("dryRun"))
    .option("--json", "print one JSON document")
    .option("--detailed", "run --json: include every block's record")
    .action(async (what: Deed, file: string, options: Options) => end(await usePlan(what, file, options, context)));
};

async function usePlan(what: Deed, file: string, options: Options, context: CliContext): Promise<number> {
  const { terminal } = context;
  const json = options.json === true;
  const stray = findStray(what, file, options);
  if (stray !== undefined) return refuse([stray], json, terminal);
  const refused = takeDotenv(options, json, context);
  if (refused !== undefined) return refused;
  const opened = openWorkspace(options.workspace, context);
  if (!opened.ok) return refuse(opened.error, json, terminal);
  const { workspace, runtime } = opened.value;
  const text = await readGivenText(file, "plan", context);
  if (!text.ok) return refuse([text.error], json, terminal);
  const plan = await inSlices(openPlan({ plan: text.value, onFailure: options.onFailure }, runtime.workflows));
  if (!plan.ok) return refuse(plan.error, json, terminal);
  if (!json) printDiagnostics(plan.value.warnings, terminal);
  if (what === "run") return runPlan(plan.value, workspace, runtime, options, context);
  if (what === "check") return tellChecked(file, plan.value, json, context);
  return giveWorkflow(file, plan.value, options, context);
}

const done: Readonly<Record<Deed, string>> = { run: "run", compile: "compiled", check: "checked" };

/** Options that mean something for one of the deeds only. */
const belongings: Readonly<Record<string, Deed>> = {
  ...{ input: "run", inputs: "run", dryRun: "run", detach: "run", detailed: "run" },
  ...{ budget: "run", maxCost: "run" },
  ...{ output: "compile", save: "compile", overwrite: "compile" },
};

function findStray(what: Deed, file: string, options: Options): Problem | undefined {
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const stray = given.find((name) => (belongings[name] ?? what) !== what);
  if (stray === undefined) return undefined;
  const option = `--${stray.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const message = `${option} has no meaning where a plan is ${done[what]}.`;
  return problem(
    "usage",
    message,
    `Leave it out, or use \`frond plan ${belongings[stray]} ${quoteWord(file, "posix")}\`.`,
  );
}

async function runPlan(
  { checked }: OpenedPlan,
  workspace: string,
  runtime: Runtime,
  options: Options,
  context: CliContext,
): Promise<number> {
  const { terminal } = context;
  const json = options.json === true;
  const given = { pairs: options.input ?? [], ...defined({ file: options.inputs }) };
  const inputs = readInputs(given, checked.plan, runtime.workflows);
  if (!inputs.ok) return refuse(inputs.error, json, terminal);
  const asked = defined({ budget: askedBudget(options), traceParent: context.traceParent });
  const start = { inputs: inputs.value, workspace, startedBy: whoStarts(undefined, context), ...asked };
  if (options.dryRun) {
    const foreseen = await foreseeRun(runtime, checked.plan, { ...start, signal: new AbortController().signal });
    if (!foreseen.ok) return refuse(explainStart(foreseen.error as RefusedStart), json, terminal);
    return reportDryRun(describeDryRun(foreseen.value), json, terminal);
  }
  if (options.detach) {
    const recorded = await recordRun(runtime, checked.plan, start);
    if (!recorded.ok) return refuse(explainStart(recorded.error as RefusedStart), json, terminal);
    return driveInBackground(runtime, recorded.value.started.runId, {}, options, context);
  }
  const view = chooseView(options, context);
  const run = await startRun(runtime, checked.plan, { ...start, ...listenerOf(view) });
  // Without a key no other run is in the way.
  if (!run.ok) return refuse(explainStart(run.error as RefusedStart), json, terminal);
  return driveAndReport(runtime, run.value, view, options, context);
}

function tellChecked(
  file: string,
  { steps, checked, warnings }: OpenedPlan,
  json: boolean,
  context: CliContext,
): number {
  const { terminal } = context;
  if (json) {
    const told = warnings.map(explainForTerminal).map(toData);
    printJson({ valid: true, workflow: checked.plan.definition.name, steps, errors: [], warnings: told }, terminal);
  } else {
    const size = `${countOf(steps.length, "step")}, ${countOf(checked.plan.waves.length, "wave")}`;
    terminal.write(`${paint("ok", "green", terminal.colour)} ${cleanLine(file)} (${size})\n`);
  }
  return exitCodes.success;
}

async function giveWorkflow(file: string, plan: OpenedPlan, options: Options, context: CliContext): Promise<number> {
  const { terminal } = context;
  const { name, text, steps } = plan;
  const json = options.json === true;
  if (options.save)
    return saveText(text, `the plan in ${file === "-" ? "standard input" : file}`, file !== "-", options, context);
  if (options.output !== undefined) {
    const failed = await writeGivenFile(options.output, text, "-o", context);
    if (failed !== undefined) return refuse([failed], json, terminal);
  }
  if (json)
    printJson(
      { workflow: name, steps, ...(options.output === undefined ? { workflow_yaml: text } : { path: options.output }) },
      terminal,
    );
  else if (options.output === undefined) terminal.writeBytes(Buffer.from(text));
  else terminal.write(`Written: ${cleanLine(options.output)}\n`);
  return exitCodes.success;
}
