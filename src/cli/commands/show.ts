import type { Problem } from "../../diagnostic/problem.ts";
import { paint } from "../../diagnostic/style.ts";
import { findRunId } from "../../runs/find-run-id.ts";
import { findRun, isHeld } from "../../runs/read-run.ts";
import type { Runtime } from "../../runs/runtime.ts";
import { describeOwner } from "../../runs/take-over.ts";
import { defined } from "../../util/defined.ts";
import { quoteWord } from "../../util/quote-word.ts";
import { ok, type Result } from "../../util/result.ts";
import { writeJson } from "../../util/write-json.ts";
import { findField, writeField } from "../../views/find-field.ts";
import { readBlock } from "../../views/read-block.ts";
import { toReply } from "../../views/reply.ts";
import type { RunTree } from "../../views/run-tree.ts";
import { readShownRun } from "../../views/shown-run.ts";
import { type AddCommand, type CliContext, exitCodes } from "../context.ts";
import { describeStart, drawBlock, drawSection, drawWhole } from "../drawing/draw-block.ts";
import { nextSteps } from "../next-steps.ts";
import { printJson, refuse } from "../print-diagnostics.ts";
import { describeNextSteps, printResult } from "../print-result.ts";
import { formatMilliseconds } from "../text/format-duration.ts";
import { formatValues } from "../text/format-values.ts";
import { cleanLine } from "../text/visible-text.ts";
import { starterToShow } from "../who-starts.ts";
import { writeGivenFile } from "../write-given-file.ts";

interface Options {
  readonly json?: true;
  readonly field?: string;
  readonly html?: string;
}

export const addShowCommand: AddCommand = (program, context, end) => {
  program
    .command("show")
    .description("show a run, or one block of it: how it stands, what it was given and what it gave")
    .argument("<run>", "run id, the beginning of one, or `last`")
    .argument(
      "[block]",
      "path of a block from the root, such as deploy/build or lint/2; deploy@1/build is as it was in the first attempt of deploy",
    )
    .option("--json", "print one JSON document, with every block's record")
    .option(
      "--field <name>",
      "print one value as it is, such as stdout, outputs.report or inputs.command; what is no text, as JSON",
    )
    .option("--html <file>", "write one file that shows the run in a browser, with all its blocks, logs and changes")
    .action(async (run: string, block: string | undefined, options: Options) =>
      end(await show(run, block, options, context)),
    );
};

async function show(run: string, block: string | undefined, options: Options, context: CliContext): Promise<number> {
  const json = options.json === true;
  const { terminal, platform, openRuntime } = context;
  const runId = await findRunId(platform, run);
  if (!runId.ok) return refuse([runId.error], json, terminal);
  const found = await findRun(platform, runId.value);
  if (!found.ok) return refuse([found.error], json, terminal);
  const runtime = openRuntime(found.value.workspace);
  if (options.html !== undefined) return writePage(runId.value, options.html, runtime, json, context);
  const path = block?.replaceAll(/^\/|\/$/g, "");
  if (options.field !== undefined) return showField(runId.value, path, options.field, runtime, json, context);
  return path === undefined
    ? showRun(runId.value, runtime, json, context)
    : showBlock(runId.value, path, runtime, json, context);
}

/** To look at elsewhere, or to attach to an issue. */
async function writePage(
  runId: string,
  file: string,
  { workflows: { catalog } }: Runtime,
  json: boolean,
  context: CliContext,
): Promise<number> {
  const { terminal, drawPage } = context;
  if (drawPage === undefined) throw new Error("This part of Frond has no page.");
  const page = await drawPage(runId, catalog);
  if (!page.ok) return refuse([page.error], json, terminal);
  const failed = await writeGivenFile(file, page.value, "--html", context);
  if (failed !== undefined) return refuse([failed], json, terminal);
  if (json) printJson({ run_id: runId, path: file }, terminal);
  else {
    terminal.write(`Written: ${cleanLine(file)}\n`);
    terminal.write(
      "Everything in it can be read by whoever has it: inputs, outputs, logs and diffs. Secrets are not in it.\n",
    );
  }
  return exitCodes.success;
}

/** With --json a text is JSON, too. */
async function showField(
  runId: string,
  path: string | undefined,
  field: string,
  { workflows: { catalog } }: Runtime,
  json: boolean,
  { terminal, platform }: CliContext,
): Promise<number> {
  const record = await readRecord(runId, path, catalog, platform);
  const found = record.ok ? findField(record.value, field) : record;
  if (!found.ok) return refuse([found.error], json, terminal);
  for (const text of json ? writeJson(found.value) : writeField(found.value)) terminal.writeBytes(Buffer.from(text));
  if (json || typeof found.value !== "string") terminal.write("\n");
  return exitCodes.success;
}

async function readRecord(
  runId: string,
  path: string | undefined,
  catalog: Runtime["workflows"]["catalog"],
  platform: CliContext["platform"],
): Promise<Result<object, Problem>> {
  if (path !== undefined) {
    const block = await readBlock(platform, catalog, runId, path);
    return block.ok ? ok(block.value.data) : block;
  }
  const read = await readShownRun(platform, catalog, runId);
  if (!read.ok) return read;
  const { run } = read.value;
  return ok({ inputs: run.started.inputs, ...run.describe({ format: "minimal", nextSteps }) });
}

/** Of a run with more rows, what has gone well is folded and counted. */
const mostRows = 100;

async function showRun(runId: string, runtime: Runtime, json: boolean, context: CliContext): Promise<number> {
  const { terminal, platform } = context;
  const read = await readShownRun(platform, runtime.workflows.catalog, runId);
  if (!read.ok) return refuse([read.error], json, terminal);
  const { run, status, summary } = read.value;
  const response = run.describe({ format: json ? "detailed" : "minimal", nextSteps });
  const { workflow, at, inputs, workspace, startedBy, rerunOf, undoOf } = run.started;
  if (json) {
    const origin = { inputs, workspace, ...defined({ started_by: startedBy, rerun_of: rerunOf }) };
    printJson({ ...toReply(response), ...origin }, terminal);
    return exitCodes.success;
  }
  const now = platform.clock.now().getTime();
  const tree = run.tree(mostRows);
  const starter = starterToShow(startedBy);
  // That it is a rollback of another run, its origin tells.
  const by = starter === undefined || undoOf !== undefined ? "" : ` by ${starter}`;
  const undone = undoOf === undefined ? "" : `, an undo of ${undoOf.runId}`;
  const origin = rerunOf === undefined ? undone : `, a rerun of ${rerunOf}`;
  const { host } = summary;
  const machine = host === null || host === platform.host ? "" : ` on ${cleanLine(host)}`;
  const { lease } = summary;
  const isFar = isHeld(summary, platform) && (lease?.owner.host ?? platform.host) !== platform.host;
  const driver = lease === undefined || !isFar ? "" : `, driven by ${describeOwner(lease, platform.host)}`;
  const took = summary.durationMs === null ? "" : `, took ${formatMilliseconds(summary.durationMs)}`;
  write(
    [
      `${paint(cleanLine(workflow), "bold", terminal.colour)} ${runId}`,
      `${describeStart(at, now)}${by}${took}, in ${cleanLine(workspace)}${machine}${cleanLine(driver)}${origin}`,
      ...drawSection("inputs", formatValues(inputs), context),
      "",
      ...drawWhole(withoutRunId(tree), context),
      ...howToUnfold(tree, runId, context),
      "",
      ...(status === "interrupted" || status === "queued" ? interruptedBlocks(tree) : []),
    ],
    context,
  );
  printResult(response, terminal);
  terminal.write(describeNextSteps(response, terminal.colour));
  return exitCodes.success;
}

async function showBlock(
  runId: string,
  path: string,
  runtime: Runtime,
  json: boolean,
  context: CliContext,
): Promise<number> {
  const { terminal, platform } = context;
  const read = await readBlock(platform, runtime.workflows.catalog, runId, path);
  if (!read.ok) return refuse([read.error], json, terminal);
  if (json) printJson(read.value.data, terminal);
  else write(drawBlock(read.value, context), context);
  return exitCodes.success;
}

/** It stands above the tree already. */
function withoutRunId({ rows, hidden }: RunTree): RunTree {
  return { rows: rows.map(({ run_id: _, ...row }) => row), hidden };
}

/** Where something is folded: the command that shows all of the first such block. */
function howToUnfold({ rows }: RunTree, runId: string, { terminal }: CliContext): string[] {
  const folded = rows.find(({ progress, passes, is_folded, reused }) => {
    const { success = 0, skipped = 0 } = passes ?? {};
    return progress !== undefined && !reused && (is_folded || success + skipped > 0);
  });
  if (folded === undefined) return [];
  const command = `frond show ${runId} ${quoteWord(cleanLine(folded.path), "posix")}`;
  return [paint(`  All of ${cleanLine(folded.path)}: ${command}`, "dim", terminal.colour)];
}

/** In a long tree they are hard to find. */
function interruptedBlocks({ rows }: RunTree): string[] {
  const paths = rows.flatMap(({ path, status, progress }) =>
    progress === undefined && status === "interrupted" ? [cleanLine(path)] : [],
  );
  return paths.length === 0 ? [] : [`Running when its process ended: ${paths.join(", ")}`];
}

function write(lines: readonly string[], { terminal }: CliContext): void {
  terminal.write(lines.map((line) => `${line}\n`).join(""));
}
