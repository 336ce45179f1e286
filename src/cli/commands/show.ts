import type { Problem } from "../../diagnostic/problem.ts";
import { paint, type Style } from "../../diagnostic/style.ts";
import type { Value } from "../../expression/value.ts";
import { findRunId } from "../../runs/find-run-id.ts";
import { findRun } from "../../runs/read-run.ts";
import type { Runtime } from "../../runs/runtime.ts";
import { defined } from "../../util/defined.ts";
import { quoteWord } from "../../util/quote-word.ts";
import { ok, type Result } from "../../util/result.ts";
import { writeJson } from "../../util/write-json.ts";
import { findField, writeField } from "../../views/find-field.ts";
import { readBlock, type StoredBlock } from "../../views/read-block.ts";
import { toReply } from "../../views/reply.ts";
import type { BlockStatus, RunTree, TreeRow } from "../../views/run-tree.ts";
import { readShownRun } from "../../views/shown-run.ts";
import { type AddCommand, type CliContext, exitCodes } from "../context.ts";
import { drawTree } from "../draw-tree.ts";
import { formatMilliseconds } from "../format-duration.ts";
import { formatAge, formatTime } from "../format-time.ts";
import { formatValues } from "../format-values.ts";
import { nextSteps } from "../next-steps.ts";
import { printJson, refuse } from "../print-diagnostics.ts";
import { describeNextSteps, printResult } from "../print-result.ts";
import { cleanLine, cleanText } from "../visible-text.ts";
import { starterToShow } from "../who-starts.ts";

interface Options {
  readonly json?: true;
  readonly field?: string;
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
  const path = block?.replaceAll(/^\/|\/$/g, "");
  if (options.field !== undefined) return showField(runId.value, path, options.field, runtime, json, context);
  return path === undefined
    ? showRun(runId.value, runtime, json, context)
    : showBlock(runId.value, path, runtime, json, context);
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

async function showRun(runId: string, runtime: Runtime, json: boolean, context: CliContext): Promise<number> {
  const { terminal, platform } = context;
  const read = await readShownRun(platform, runtime.workflows.catalog, runId);
  if (!read.ok) return refuse([read.error], json, terminal);
  const { run, status, summary } = read.value;
  const response = run.describe({ format: json ? "detailed" : "minimal", nextSteps });
  const { workflow, at, inputs, workspace, startedBy, rerunOf } = run.started;
  if (json) {
    const origin = { inputs, workspace, ...defined({ started_by: startedBy, rerun_of: rerunOf }) };
    printJson({ ...toReply(response), ...origin }, terminal);
    return exitCodes.success;
  }
  const now = platform.clock.now().getTime();
  const tree = run.tree(Number.POSITIVE_INFINITY);
  const starter = starterToShow(startedBy);
  const by = starter === undefined ? "" : ` by ${starter}`;
  const origin = rerunOf === undefined ? "" : `, a rerun of ${rerunOf}`;
  const took = summary.durationMs === null ? "" : `, took ${formatMilliseconds(summary.durationMs)}`;
  write(
    [
      `${paint(cleanLine(workflow), "bold", terminal.colour)} ${runId}`,
      `${describeStart(at, now)}${by}${took}, in ${cleanLine(workspace)}${origin}`,
      ...section("inputs", formatValues(inputs), context),
      "",
      ...draw(withoutRunId(tree), context),
      "",
      ...(status === "interrupted" ? interruptedBlocks(tree) : []),
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
  else write(describeBlock(read.value, platform.clock.now().getTime(), context), context);
  return exitCodes.success;
}

const words: Record<BlockStatus, readonly [word: string, style?: Style]> = {
  success: ["success", "green"],
  pending: ["has not started"],
  skipped: ["skipped"],
  running: ["running", "cyan"],
  paused: ["waits for an answer", "yellow"],
  sleeping: ["sleeps", "yellow"],
  interrupted: ["was running when its process ended", "yellow"],
  failure: ["failed", "red"],
  crashed: ["could not run", "red"],
  timeout: ["timed out", "red"],
  cancelled: ["was cancelled", "red"],
};

function describeBlock({ workflow, data, tree }: StoredBlock, now: number, context: CliContext): string[] {
  const { colour } = context.terminal;
  const { block, metadata, outputs, pending, log_tail: log, run_id: runId } = data;
  const [row, ...inside] = tree.rows as readonly [TreeRow, ...TreeRow[]];
  const [word, style] = words[row.status];
  const bare = block.replace(/@\d+$/, "");
  // Between attempts time goes by in which it does not run.
  const ended =
    metadata.attempts > 1 && metadata.completed_at !== undefined ? `, ended ${formatTime(metadata.completed_at)}` : "";
  const attempts = metadata.attempts > 1 ? `${ended}, attempt ${metadata.attempts}` : "";
  const logLines = cleanText(log.trimEnd()).split("\n").slice(-mostLogLines);
  return [
    `${paint(cleanLine(block), "bold", colour)} of ${cleanLine(workflow)} ${runId}`,
    `${style === undefined ? word : paint(word, style, colour)}${describeTimes(ownTimes(row, data), now)}${attempts}`,
    ...(metadata.message === undefined ? [] : [cleanText(metadata.message)]),
    ...(row.wake_at === undefined ? [] : [`goes on at ${formatTime(row.wake_at)}`]),
    ...(pending === undefined ? [] : [...cleanText(pending.prompt.trim()).split("\n"), nextSteps.answer([pending])]),
    ...(inside.length === 0 ? [] : ["", ...draw(tree, context)]),
    ...section(
      `attempts (each of them: frond show ${runId} ${quoteWord(`${cleanLine(bare)}@N`, "posix")})`,
      describeAttempts(metadata.attempt_history),
      context,
    ),
    ...section("inputs", formatValues(data.inputs), context),
    ...section("outputs", formatValues(outputs), context),
    ...(log === ""
      ? []
      : section(
          `end of the log (all of it: frond logs ${runId} ${quoteWord(cleanLine(block), "posix")})`,
          logLines.map((line) => `  | ${line}`),
          context,
        )),
  ];
}

/** Of one attempt its own times, not those of all until then. */
function ownTimes(row: TreeRow, { block, metadata }: StoredBlock["data"]): TreeRow {
  const { attempt_history: history } = metadata;
  const [, attempt] = /@(\d+)$/.exec(block) ?? [];
  const own = Array.isArray(history) ? history[Number(attempt) - 1] : undefined;
  if (own === undefined) return { ...row, duration_ms: metadata.execution_time_ms };
  const { started_at: startedAt, completed_at: completedAt } = own as { started_at: string; completed_at: string };
  return { ...row, started_at: startedAt, duration_ms: Math.max(0, Date.parse(completedAt) - Date.parse(startedAt)) };
}

/** Each with its address, by which it can be shown. */
function describeAttempts(history: Value | undefined): string[] {
  if (!Array.isArray(history)) return [];
  return history.map((attempt, index) => {
    const { outcome, message } = attempt as { readonly outcome: string; readonly message: string | null };
    return `  @${index + 1} ${outcome === "success" ? "succeeded" : cleanLine(message ?? "failed")}`;
  });
}

const mostLogLines = 20;

function describeTimes(row: TreeRow, now: number): string {
  const reused = row.reused ? ", reused from the run before" : "";
  return `${reused}${describeOwnTimes(row, now)}`;
}

function describeOwnTimes({ status, started_at: startedAt, duration_ms: duration }: TreeRow, now: number): string {
  if (startedAt === null || status === "pending" || status === "skipped") return "";
  const start = `, ${describeStart(startedAt, now)}`;
  if (status === "paused" || status === "sleeping" || status === "interrupted") return start;
  if (status === "running") return start;
  return `${start}, took ${formatMilliseconds(duration)}`;
}

function describeStart(at: string, now: number): string {
  return `started ${formatTime(at)} (${formatAge(at, now)})`;
}

function section(title: string, lines: readonly string[], { terminal }: CliContext): string[] {
  return lines.length === 0 ? [] : ["", paint(title, "bold", terminal.colour), ...lines];
}

function draw(tree: RunTree, { terminal, platform }: CliContext): string[] {
  const { colour, unicode, isInteractive } = terminal;
  const options = {
    columns: isInteractive ? terminal.columns : Number.POSITIVE_INFINITY,
    rows: Number.POSITIVE_INFINITY,
    now: platform.clock.now().getTime(),
    frame: 0,
    colour,
    unicode,
    lastLine: () => "",
  };
  return drawTree(tree, options);
}

/** It stands above the tree already. */
function withoutRunId({ rows, hidden }: RunTree): RunTree {
  return { rows: rows.map(({ run_id: _, ...row }) => row), hidden };
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
