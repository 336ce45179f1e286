import { Option } from "commander";
import { paint } from "../../diagnostic/style.ts";
import { findRunId } from "../../runs/find-run-id.ts";
import { findRun } from "../../runs/read-run.ts";
import { quoteWord } from "../../util/quote-word.ts";
import { type RunChanges, readChanges } from "../../views/changes.ts";
import { adviseCommand } from "../advise-command.ts";
import { type AddCommand, type CliContext, exitCodes } from "../context.ts";
import { countChanges, drawChangeList, drawDiffs } from "../print-changes.ts";
import { printJson, refuse } from "../print-diagnostics.ts";
import { cleanLine } from "../text/visible-text.ts";

interface Options {
  readonly block?: string;
  readonly json?: true;
  readonly diff?: true;
  readonly stat?: true;
}

/** More lines than these push the list of files off every screen. */
const mostLines = 200;

export const addChangesCommand: AddCommand = (program, context, end) => {
  program
    .command("changes")
    .description("show what a run changed: which files, by which blocks, and how they differ")
    .argument("<run>", "run id, the beginning of one, or `last`")
    .option("--block <block>", "only what this block changed, and what is inside it")
    .addOption(new Option("--stat", "only the list of files, without their differences").conflicts(["diff"]))
    .option("--diff", `only the differences, however long, as a patch; else they are shown up to ${mostLines} lines`)
    .option("--json", "print one JSON document")
    .action(async (run: string, options: Options) => end(await showChanges(run, options, context)));
};

async function showChanges(run: string, options: Options, context: CliContext): Promise<number> {
  const { terminal, platform, openRuntime } = context;
  const json = options.json === true;
  const runId = await findRunId(platform, run);
  if (!runId.ok) return refuse([runId.error], json, terminal);
  const found = await findRun(platform, runId.value);
  if (!found.ok) return refuse([found.error], json, terminal);
  const { catalog } = openRuntime(found.value.workspace).workflows;
  const block = options.block?.replaceAll(/^\/|\/$/g, "");
  const changes = await readChanges(platform, catalog, runId.value, { block, diffs: true });
  if (!changes.ok) return refuse([changes.error], json, terminal);
  if (json) printJson(options.stat ? withoutDiffs(changes.value) : changes.value, terminal);
  else printChanges(changes.value, options, context);
  return exitCodes.success;
}

function withoutDiffs({ changes, ...run }: RunChanges): RunChanges {
  return { ...run, changes: changes.map(({ diff: _, ...change }) => change) };
}

function printChanges(run: RunChanges, { diff, stat }: Options, { terminal }: CliContext): void {
  const { changes, run_id: runId } = run;
  const diffs = drawDiffs(changes, terminal.colour);
  const show = (lines: readonly string[]): void => terminal.write(lines.map((line) => `${line}\n`).join(""));
  if (diff) {
    // What a program reads is to be a patch that fits, whatever is in the files.
    if (terminal.isTerminal) show(diffs);
    else terminal.writeBytes(Buffer.from(changes.map((change) => change.diff ?? "").join("")));
    const hidden = changes.filter(({ no_diff }) => no_diff !== undefined);
    for (const { path, no_diff } of hidden)
      terminal.writeError(`${cleanLine(path)}: no difference shown: ${no_diff}\n`);
    return;
  }
  const who = `${paint(cleanLine(run.workflow), "bold", terminal.colour)} ${runId}`;
  const of = run.block === undefined ? "" : `, ${cleanLine(run.block)}`;
  if (changes.length === 0 && run.refs === undefined && run.not_captured === undefined) {
    // Nobody whose command wrote files is to think that it wrote none.
    const hint = "What commands change is known only where it is observed.";
    show([`${who}${of} changed no file that Frond knows of. ${hint}`]);
    return;
  }
  const block = run.block === undefined ? "" : ` --block ${quoteWord(cleanLine(run.block), "posix")}`;
  const isLong = diffs.length > mostLines;
  show([
    `${who}${of}: ${countChanges(changes)}`,
    ...drawChangeList(run, terminal),
    ...(stat || isLong || diffs.length === 0 ? [] : ["", ...diffs]),
    ...(isLong && !stat
      ? ["", ...adviseCommand("How they differ:", `frond changes ${runId}${block} --diff`, terminal)]
      : []),
  ]);
}
