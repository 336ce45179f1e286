import { join, resolve } from "node:path";
import { Option } from "commander";
import type { Diagnostic } from "../../diagnostic/diagnostic.ts";
import { problem } from "../../diagnostic/problem.ts";
import { describeWorkflow } from "../../library/describe-workflow.ts";
import { readEnvFiles } from "../../library/read-env-files.ts";
import { readInputs } from "../../library/read-inputs.ts";
import { looksLikeFile } from "../../library/workflows.ts";
import { explainStart } from "../../runs/explain-start.ts";
import type { CrontabProblem } from "../../runs/machine.ts";
import { prepareStart } from "../../runs/start-run.ts";
import { type CronExpression, parseCron } from "../../util/cron-expression.ts";
import { nextTimes } from "../../util/cron-times.ts";
import { defined } from "../../util/defined.ts";
import { quoteWord } from "../../util/quote-word.ts";
import { err, ok, type Result } from "../../util/result.ts";
import { type AddCommand, type CliContext, exitCodes, openWorkspace } from "../context.ts";
import { type DotenvOptions, dotenvOption } from "../options/dotenv-option.ts";
import { printDiagnostics, printJson, refuse } from "../print-diagnostics.ts";
import { crontabEntry, longestLine, markerOf, putEntry, removeEntry } from "../schedule/crontab.ts";
import { listSchedules } from "../schedule/list-schedules.ts";
import { describeSchedule, printSchedule, type ScheduleForm, scheduleForms } from "../schedule/print-schedule.ts";
import { type ScheduledRun, variablesToKeep } from "../schedule/scheduled-run.ts";
import { cleanLine } from "../text/visible-text.ts";

interface Options extends Pick<DotenvOptions, "dotenv"> {
  readonly input?: readonly string[];
  readonly inputs?: string;
  readonly workspace: string;
  readonly skipIfRunning?: true;
  readonly as: ScheduleForm;
  readonly install?: true;
  readonly remove?: true;
  readonly list?: true;
  readonly json?: true;
}

export const addScheduleCommand: AddCommand = (program, context, end) => {
  program
    .command("schedule")
    .description(
      "have cron, systemd or launchd run a workflow at certain times: print what to give them, or install it",
    )
    .argument("[workflow]", "workflow name, or path of a workflow file")
    .argument("[cron...]", "when, in quotes: '0 3 * * *' (minute hour day month weekday), or @hourly, @daily, @weekly")
    .addOption(
      new Option("-i, --input <name=value>", "an input of every run; may be repeated").argParser(
        (pair: string, pairs: readonly string[] = []) => [...pairs, pair],
      ),
    )
    .option("--inputs <file>", "JSON or YAML file with inputs, read by each run; --input wins over it")
    .option("--workspace <dir>", "directory to work in", ".")
    .addOption(dotenvOption())
    .option("--skip-if-running", "start none while another run of the workflow is going there")
    .addOption(
      new Option("--as <form>", "what to print: for cron, systemd, launchd, or all of them")
        .choices([...scheduleForms])
        .default("all"),
    )
    .addOption(new Option("--install", "put it into the crontab, in the place of an earlier one").conflicts("remove"))
    .option("--remove", "take it out of the crontab")
    .option("--list", "show what is in the crontab of workflows")
    .option("--json", "print one JSON document")
    .action(async (workflow: string | undefined, cron: readonly string[], options: Options) => {
      const json = options.json === true;
      if (options.list) return end(await listSchedules(json, context));
      const ended = await schedule(workflow, cron, options, context);
      end(typeof ended === "number" ? ended : refuse(ended, json, context.terminal));
    });
};

async function schedule(
  target: string | undefined,
  words: readonly string[],
  options: Options,
  context: CliContext,
): Promise<number | readonly Diagnostic[]> {
  if (target === undefined) return [usage("The workflow to run is missing.", "`frond schedule NAME '0 3 * * *'`")];
  const opened = openWorkspace(options.workspace, context);
  if (!opened.ok) return opened.error;
  const { workspace, runtime } = opened.value;
  if (options.remove) return remove(target, workspace, runtime.workflows.findTarget(target).plan, options, context);
  const cron = readCron(words, target);
  if (!cron.ok) return [cron.error];
  const { plan, diagnostics } = runtime.workflows.findTarget(target);
  if (plan === undefined) return diagnostics.filter(({ level }) => level !== "hint");
  const inputs = readInputs(
    { pairs: options.input ?? [], ...defined({ file: options.inputs }) },
    plan,
    runtime.workflows,
  );
  if (!inputs.ok) return inputs.error;
  const prepared = prepareStart(runtime, plan, { inputs: inputs.value, workspace }, true);
  if (!prepared.ok) return prepared.error.kind === "exists" ? [] : explainStart(prepared.error);
  const run: ScheduledRun = {
    workflow: plan.definition.name,
    workspace,
    cron: cron.value,
    command: commandOf(target, cron.value, options, context),
    variables: variablesToKeep(context.platform.environment.variables, context.platform.stateDirectory),
    log: join(context.platform.stateDirectory, "schedules.log"),
  };
  const unusual = [run.workflow, workspace, ...run.command, ...run.variables.values(), run.log].find(isUnusual);
  if (unusual !== undefined) return [controlCharacters(unusual)];
  const now = context.platform.clock.now();
  if (nextTimes(cron.value, now, 1).length === 0) return [neverRuns(cron.value)];
  const fromFiles = readEnvFiles(options.dotenv ?? [], context.platform);
  if (!fromFiles.ok) return fromFiles.error;
  const info = describeWorkflow(plan, (name) => runtime.workflows.callable(name));
  const warnings = [
    ...(info.capabilities.includes("prompts") ? [asksSomebody(run.workflow)] : []),
    ...needsSecrets((info.secrets ?? []).filter((name) => !holdsSecret(fromFiles.value, name))),
    ...(crontabEntry(run).line.length > longestLine ? [tooLong(run)] : []),
    ...(context.platform.dispatch === undefined ? [] : warnOfDatabase(run, plan.definition.schedule !== undefined)),
  ];
  // It makes the state directory, in which what is printed goes to a file.
  await context.platform.journal();
  const installed = options.install ? await install(run, context) : undefined;
  if (installed?.ok === false) return [installed.error];
  if (options.json) {
    const about = warnings.map(({ message }) => message);
    printJson(
      { ...describeSchedule(run, now), ...defined({ installed: installed?.value }), warnings: about },
      context.terminal,
    );
  } else {
    printDiagnostics(warnings, context.terminal);
    printSchedule(run, options.install ? "installed" : options.as, now, context.terminal);
  }
  return exitCodes.success;
}

/** Unquoted, a shell has made several words of it, and names of files of every star. */
function readCron(words: readonly string[], target: string): Result<CronExpression, Diagnostic> {
  if (words.length === 0) {
    return err(usage("The time to run it is missing.", `\`frond schedule ${quoteWord(target, "posix")} '0 3 * * *'\``));
  }
  const cron = parseCron(words.join(" "));
  if (cron.ok) return cron;
  const isUnquoted = words.length > 1;
  const message = `'${cleanLine(words.join(" "))}' is not a time for cron. ${cron.error}`;
  const fix = isUnquoted ? "Put it in quotes, so that the shell leaves the stars alone." : undefined;
  return err({ code: "bad-schedule", level: "error", message, ...defined({ fix }) });
}

/** What each of them runs, wherever it is started. */
function commandOf(
  target: string,
  cron: CronExpression,
  { input = [], inputs, dotenv = [], skipIfRunning }: Options,
  { installation, packageRoot, platform }: CliContext,
): readonly string[] {
  const here = platform.realDirectory(".");
  const absolute = (path: string): string => (here.ok ? resolve(here.value, path) : resolve(path));
  return [
    installation.node,
    join(packageRoot, "dist", "main.js"),
    "run",
    looksLikeFile(target) ? absolute(target) : target,
    ...input.flatMap((pair) => ["--input", pair]),
    ...(inputs === undefined ? [] : ["--inputs", absolute(inputs)]),
    ...dotenv.flatMap((file) => ["--dotenv", absolute(file)]),
    ...(skipIfRunning ? ["--skip-if-running"] : []),
    "--started-by",
    `schedule ${cron.text}`,
  ];
}

async function install(run: ScheduledRun, { machine }: CliContext): Promise<Result<"new" | "replaced", Diagnostic>> {
  const before = await machine.crontab.read();
  if (!before.ok) return err(explainCrontab(before.error));
  const entry = crontabEntry(run);
  if (entry.line.length > longestLine) return err({ ...tooLong(run), level: "error" });
  const bytes = { marker: toBytes(entry.marker), line: toBytes(entry.line) };
  const after = putEntry(before.value, bytes);
  const isNew = !before.value.split("\n").includes(bytes.marker);
  const written = after === before.value ? ok(undefined) : await machine.crontab.write(after);
  return written.ok ? ok(isNew ? "new" : "replaced") : err(explainCrontab(written.error));
}

async function remove(
  target: string,
  workspace: string,
  plan: { readonly definition: { readonly name: string } } | undefined,
  options: Options,
  { machine, terminal }: CliContext,
): Promise<number | readonly Diagnostic[]> {
  // One that is broken or gone by now can be removed by its name all the same.
  const workflow = plan?.definition.name ?? target;
  const before = await machine.crontab.read();
  if (!before.ok) return [explainCrontab(before.error)];
  const after = removeEntry(before.value, toBytes(markerOf({ workflow, workspace })));
  if (after === undefined) {
    const message = `There is no schedule for ${workflow} in ${workspace}.`;
    return [problem("no-schedule", message, "See `frond schedule --list`.")];
  }
  const written = await machine.crontab.write(after);
  if (!written.ok) return [explainCrontab(written.error)];
  if (options.json) printJson({ workflow, workspace, removed: true }, terminal);
  else terminal.write(`Removed from the crontab: ${cleanLine(workflow)} in ${cleanLine(workspace)}\n`);
  return exitCodes.success;
}

function toBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function usage(message: string, example: string): Diagnostic {
  return { code: "usage", level: "error", message, fix: `Write it like ${example}.` };
}

function isUnusual(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

function controlCharacters(text: string): Diagnostic {
  const message = `'${cleanLine(text)}' holds an end of a line or a control character, which no line of a crontab can.`;
  return problem("bad-schedule", message, "Put such an input into a file, and give that with --inputs.");
}

function neverRuns({ text }: CronExpression): Diagnostic {
  return problem("bad-schedule", `'${text}' would never run: there is no such date.`);
}

function asksSomebody(workflow: string): Diagnostic {
  return {
    ...problem("schedule-asks", `${workflow} may ask something, and nobody will be there.`),
    level: "warning",
    fix: "Such a run waits: `frond runs` shows it, and it can be answered at any later time.",
  };
}

/** The address of the database may hold a password, which has no place in a crontab. */
function warnOfDatabase({ workflow, variables }: ScheduledRun, hasOwn: boolean): Diagnostic[] {
  const lost: Diagnostic = {
    ...problem("schedule-database", "FROND_DATABASE_URL is not part of this, because it may hold a password."),
    level: "warning",
    why: "Its runs would be in the state directory, where nobody who uses the database sees them.",
    fix: "Write `schedule:` into the workflow, and workers start it; or write the address into a file with mode 600, and set FROND_DATABASE_URL_FILE to its path instead.",
  };
  const twice: Diagnostic = {
    ...problem("schedule-twice", `${workflow} has a \`schedule\` of its own, which workers look after.`),
    level: "warning",
    fix: "Use one of both: else it is started by both.",
  };
  return [...(variables.has("FROND_DATABASE_URL_FILE") ? [] : [lost]), ...(hasOwn ? [twice] : [])];
}

function holdsSecret(variables: ReadonlyMap<string, string>, name: string): boolean {
  return variables.has(`FROND_SECRET_${name}`) || variables.has(`WORKFLOW_SECRET_${name}`);
}

function needsSecrets(names: readonly string[]): Diagnostic[] {
  if (names.length === 0) return [];
  const variables = names.map((name) => `FROND_SECRET_${name}`).join(", ");
  return [
    {
      ...problem(
        "schedule-secrets",
        `It needs secrets, which are not in the environment of cron: ${names.join(", ")}.`,
      ),
      level: "warning",
      fix: `Write ${variables} into a file that only you can read, and give that with --dotenv.`,
    },
  ];
}

function tooLong(run: ScheduledRun): Diagnostic {
  const { length } = crontabEntry(run).line;
  return {
    ...problem("schedule-too-long", `The line has ${length} characters; many crons take no more than ${longestLine}.`),
    level: "warning",
    fix: "Put inputs into a file for --inputs, or call `frond schedule` with a shorter PATH: it goes into the line.",
  };
}

function explainCrontab(found: CrontabProblem): Diagnostic {
  if (found.kind === "refused") {
    return problem("no-crontab", `The program crontab refuses: ${cleanLine(found.message)}`);
  }
  const fix = "Install cron, or use what `--as systemd` or `--as launchd` prints instead.";
  return problem("no-crontab", "There is no program 'crontab' on PATH.", fix);
}
