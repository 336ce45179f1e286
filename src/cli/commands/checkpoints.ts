import { unknownCheckpoint } from "../../runs/answer-question.ts";
import { findRunOfCheckpoint } from "../../runs/find-run-id.ts";
import { defined } from "../../util/defined.ts";
import {
  type CheckpointData,
  type CheckpointList,
  type CheckpointQuery,
  deleteCheckpoint,
  type FoundCheckpoint,
  getCheckpoint,
  listCheckpoints,
} from "../../views/checkpoints.ts";
import { type AddCommand, type CliContext, exitCodes } from "../context.ts";
import { describeWaking, formatAge, formatTime } from "../format-time.ts";
import { type ListRow, layOutRow } from "../lay-out-row.ts";
import { parseCount } from "../parse-count.ts";
import { countOf, printDiagnostics, printJson, refuse } from "../print-diagnostics.ts";
import { listenerOf, silentView } from "../run-view.ts";
import { cleanLine, cleanText, widthOf } from "../visible-text.ts";

interface Options {
  readonly workflow?: readonly string[];
  readonly limit: number;
  readonly all?: true;
  readonly after?: string;
  readonly delete?: string;
  readonly json?: true;
}

const defaultLimit = 20;

export const addCheckpointsCommand: AddCommand = (program, context, end) => {
  program
    .command("checkpoints")
    .description("list the questions that wait for an answer, and where interrupted and sleeping runs can go on")
    .argument("[checkpoint]", "show only this one, and how its run stands")
    .option("--workflow <name...>", "only those of runs of these workflows")
    .option("--limit <n>", "how many to show", parseCount, defaultLimit)
    .option("--all", "show all, however many there are")
    .option("--after <checkpoint>", "only those that follow this one in the list, for the next page")
    .option("--delete <checkpoint>", "leave one out of lists; a paused run whose last question it was is cancelled")
    .option("--json", "print one JSON document")
    .action(async (id: string | undefined, options: Options) => {
      if (options.delete !== undefined) return end(await remove(options.delete, options.json === true, context));
      end(await (id === undefined ? list(options, context) : show(id, options.json === true, context)));
    });
};

async function list(options: Options, context: CliContext): Promise<number> {
  const { terminal, platform, openRuntime } = context;
  const query: CheckpointQuery = {
    ...defined({ workflows: options.workflow, after: options.after }),
    ...(options.all ? {} : { limit: options.limit }),
  };
  const found = await listCheckpoints(platform, openRuntime(".").workflows.catalog, query);
  if (options.json) printJson(found, terminal);
  else printList(found, context);
  return exitCodes.success;
}

function printList({ checkpoints, total, next, problems = [] }: CheckpointList, context: CliContext): void {
  const { terminal, platform } = context;
  printDiagnostics(
    problems.map(({ problem }) => ({ ...problem, level: "warning" })),
    terminal,
  );
  if (checkpoints.length === 0) return terminal.write("No checkpoints. How runs stand: frond runs\n");
  const now = platform.clock.now().getTime();
  const idWidth = 2 + Math.max(...checkpoints.map(({ checkpoint_id: id }) => id.length));
  const width = idWidth + Math.max(...checkpoints.map(({ workflow }) => widthOf(cleanLine(workflow))));
  for (const checkpoint of checkpoints) {
    const row: ListRow = {
      what: [[checkpoint.checkpoint_id.padEnd(idWidth)], [cleanLine(checkpoint.workflow), "bold"]],
      width,
      when: [formatAge(checkpoint.created_at, now).padEnd(10), "dim"],
      about: [[describeReason(checkpoint, now), "yellow"]],
    };
    terminal.write(layOutRow(row, terminal));
  }
  const more = next === undefined ? "" : ` ${total} in all; more: add --after ${next}`;
  terminal.write(`\n${countOf(checkpoints.length, "checkpoint")}. Go on from one: frond resume CHECKPOINT.${more}\n`);
}

function describeReason(
  { paused_block_id: block, pause_prompt: prompt, audience, wake_at: wakeAt }: CheckpointData,
  now: number,
): string {
  if (wakeAt !== undefined) return describeWaking(wakeAt, now);
  if (block === undefined || prompt === undefined) return "interrupted: the process that drove it is gone";
  return `${cleanLine(block)} asks${audience === "human" ? " a person" : ""}: ${cleanLine(prompt.trim())}`;
}

async function show(id: string, json: boolean, { terminal, platform, openRuntime }: CliContext): Promise<number> {
  const read = await getCheckpoint(platform, openRuntime(".").workflows.catalog, id);
  if (!read.ok) return refuse([read.error], json, terminal);
  const info = read.value;
  if (!info.found) return refuse([unknownCheckpoint(id)], json, terminal);
  if (json) printJson(info, terminal);
  else terminal.write(`${describeInfo(info, platform.clock.now().getTime()).join("\n")}\n`);
  return exitCodes.success;
}

function describeInfo(info: FoundCheckpoint, now: number): string[] {
  const {
    paused_block_id: block,
    pause_prompt: prompt,
    schema,
    choices,
    completed_blocks: done,
    wake_at: wakeAt,
  } = info;
  return [
    `${info.checkpoint_id} of ${cleanLine(info.workflow_name)} ${info.run_id}, since ${formatTime(info.created_at)}`,
    ...(block === undefined ? [] : [`${cleanLine(block)} asks: ${cleanText(prompt?.trim() ?? "")}`]),
    ...(schema === undefined ? [] : [`The answer must fit: ${cleanLine(JSON.stringify(schema))}`]),
    ...(choices === undefined ? [] : [`The answer must be one of: ${choices.map(cleanLine).join(", ")}`]),
    ...(wakeAt === undefined ? [] : [`The run ${describeWaking(wakeAt, now)}`]),
    `${info.progress_percentage}% done (${info.current_wave} of ${info.total_waves} waves): ${done.map(cleanLine).join(", ") || "nothing yet"}`,
    hasEnded(info) ? `Its run has ended: frond show ${info.run_id}` : `Go on: frond resume ${info.checkpoint_id}`,
  ];
}

function hasEnded({ run_status: status }: FoundCheckpoint): boolean {
  return status === "success" || status === "failure";
}

async function remove(id: string, json: boolean, { terminal, platform, openRuntime }: CliContext): Promise<number> {
  const run = await findRunOfCheckpoint(platform, id);
  const deleted = run.ok ? await deleteCheckpoint(openRuntime(run.value.workspace), id, listenerOf(silentView)) : run;
  if (!deleted.ok) return refuse([deleted.error], json, terminal);
  if (json) printJson(deleted.value, terminal);
  else
    terminal.write(
      `${deleted.value.deleted ? `Deleted ${id}.` : `${id} is not there any more.`} ${deleted.value.message}\n`,
    );
  return exitCodes.success;
}
