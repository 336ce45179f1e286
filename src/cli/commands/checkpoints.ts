import { paint } from "../../diagnostic/style.ts";
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
import { adviseCommand } from "../advise-command.ts";
import { type AddCommand, type CliContext, exitCodes } from "../context.ts";
import { parseLimit } from "../options/parse-count.ts";
import { countOf, printDiagnostics, printJson, refuse } from "../print-diagnostics.ts";
import { listenerOf, silentView } from "../run-view.ts";
import type { Terminal } from "../terminal.ts";
import { describeWaking, formatAge, formatTime } from "../text/format-time.ts";
import { layOutTable, lineWidth, type TableRow } from "../text/lay-out-table.ts";
import { cleanLine, cleanText, cutToWidth } from "../text/visible-text.ts";

interface Options {
  readonly all?: true;
  readonly workflow?: readonly string[];
  readonly limit?: number;
  readonly after?: string;
  readonly delete?: string;
  readonly json?: true;
}

export const addCheckpointsCommand: AddCommand = (program, context, end) => {
  program
    .command("checkpoints")
    .description(
      "list the questions of this directory's runs that wait for an answer, and where interrupted and sleeping runs can go on",
    )
    .argument("[checkpoint]", "show only this one, and how its run stands")
    .option("--all", "of runs in all directories")
    .option("--workflow <name...>", "only those of runs of these workflows")
    .option("--limit <n>", "how many to show, 0 for all; else as many as fit on the screen, in a pipe all", parseLimit)
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
  const real = platform.realDirectory(".");
  const here = real.ok ? real.value : "";
  let elsewhere = 0;
  const limit = options.limit ?? (terminal.isTerminal && !options.json ? mostOnScreen(terminal) : 0);
  const query: CheckpointQuery = {
    ...defined({ workflows: options.workflow, after: options.after }),
    ...(limit === 0 ? {} : { limit }),
    isWanted(workspace) {
      const isHere = options.all || workspace === here;
      if (!isHere) elsewhere++;
      return isHere;
    },
  };
  const found = await listCheckpoints(platform, openRuntime(".").workflows.catalog, query);
  if (options.json) printJson(found, terminal);
  else printList(found, elsewhere, context);
  return exitCodes.success;
}

/** With two lines for each where lines are short, and what stands below them. */
function mostOnScreen(terminal: Terminal): number {
  return Math.max(5, Math.floor((terminal.rows - 4) / (isNarrow(terminal) ? 2 : 1)));
}

function isNarrow(terminal: Terminal): boolean {
  return lineWidth(terminal) < 90;
}

function printList(found: CheckpointList, elsewhere: number, { terminal, platform }: CliContext): void {
  const { checkpoints, total, next, problems = [] } = found;
  printDiagnostics(
    problems.map(({ problem }) => ({ ...problem, level: "warning" })),
    terminal,
  );
  const inOthers = `And ${countOf(elsewhere, "open run")} in other directories:`;
  const others = elsewhere === 0 ? [] : adviseCommand(inOthers, "frond checkpoints --all", terminal);
  const say = (text: string, command: string, ...more: readonly string[]): void => {
    const lines = [...adviseCommand(text, command, terminal), ...more, ...others];
    const write = terminal.isTerminal ? terminal.write : terminal.writeError;
    write(lines.map((line) => `${line}\n`).join(""));
  };
  if (checkpoints.length === 0) return say("No checkpoints. How runs stand:", "frond runs");
  const now = platform.clock.now().getTime();
  if (!terminal.isTerminal) {
    for (const checkpoint of checkpoints) {
      const { checkpoint_id: id, run_id: runId, workflow, created_at: at } = checkpoint;
      terminal.write(`${[id, runId, workflow, at, describeReason(checkpoint, now)].map(cleanLine).join("\t")}\n`);
    }
    return;
  }
  const below = isNarrow(terminal);
  const rows = checkpoints.map((checkpoint): TableRow => {
    const { checkpoint_id: id, workflow, created_at: at } = checkpoint;
    const reason = describeReason(checkpoint, now);
    return {
      cells: [[id], [cleanLine(workflow), "bold"], [formatAge(at, now), "dim"]],
      about: below ? [] : [[reason, "yellow"]],
    };
  });
  const lines = layOutTable([{}, { least: 12 }, { align: "right" }], rows, terminal);
  for (const [index, line] of lines.entries()) {
    terminal.write(`${line}\n`);
    const checkpoint = checkpoints[index];
    if (!below || checkpoint === undefined) continue;
    const reason = cutToWidth(`    ${describeReason(checkpoint, now)}`, lineWidth(terminal));
    terminal.write(`${paint(reason, "yellow", terminal.colour)}\n`);
  }
  const more = next === undefined ? [] : [`${total} in all; more: add --after ${next}`];
  terminal.write("\n");
  say(`${countOf(checkpoints.length, "checkpoint")}. Go on from one:`, "frond resume CHECKPOINT", ...more);
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
