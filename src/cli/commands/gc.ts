import { type Collected, type CollectedRun, collectGarbage } from "../../runs/collect-garbage.ts";
import { type AddCommand, type CliContext, exitCodes } from "../context.ts";
import { formatBytes, parseAge, parseSize } from "../options/parse-amount.ts";
import { countOf, printJson } from "../print-diagnostics.ts";
import { formatAge } from "../text/format-time.ts";
import { cleanLine } from "../text/visible-text.ts";

interface Options {
  readonly dryRun?: true;
  readonly olderThan?: number;
  readonly maxSize?: number;
  readonly json?: true;
}

export const addGcCommand: AddCommand = (program, context, end) => {
  program
    .command("gc")
    .description(
      "remove runs that have ended long ago, with their logs, workspaces that were made for them and what was kept to undo them; never one that can still go on",
    )
    .option("--dry-run", "only say what would be removed")
    .option(
      "--older-than <age>",
      "remove what ended before that, such as 30d or 12h; else FROND_RETENTION_DAYS",
      parseAge,
    )
    .option(
      "--max-size <size>",
      "then the oldest until no more is used, such as 5GB; else FROND_RETENTION_GB",
      parseSize,
    )
    .option("--json", "print one JSON document")
    .action(async (options: Options) => end(await collect(options, context)));
};

async function collect(options: Options, context: CliContext): Promise<number> {
  const { terminal, platform } = context;
  const collected = await collectGarbage(platform, {
    maxAgeMs: options.olderThan ?? platform.retention.maxAgeMs,
    maxBytes: options.maxSize ?? platform.retention.maxBytes,
    isDryRun: options.dryRun === true,
  });
  if (options.json) printJson(collected, terminal);
  else printCollected(collected, context);
  return exitCodes.success;
}

/** Whoever removes thousands does not read them all. */
const mostShown = 20;

function printCollected(collected: Collected, { terminal, platform }: CliContext): void {
  const { runs, dry_run: isDryRun, used_bytes: used, undo_bytes: undo, freed_bytes: freed } = collected;
  const inUse = formatBytes(used);
  const forUndo = undo === 0 ? "" : `, ${formatBytes(undo)} of it to undo runs`;
  for (const problem of collected.problems) terminal.writeError(`warning: ${cleanLine(problem)}\n`);
  const leftovers = describeLeftovers(collected);
  if (runs.length === 0 && leftovers.length === 0) {
    return terminal.write(`Nothing to remove: ${inUse} in use${forUndo}.\n`);
  }
  const now = platform.clock.now().getTime();
  for (const run of runs.slice(0, mostShown)) terminal.write(`${describeRun(run, now)}\n`);
  if (runs.length > mostShown) terminal.write(`and ${countOf(runs.length - mostShown, "more run")}\n`);
  const what = [...(runs.length === 0 ? [] : [countOf(runs.length, "run")]), ...leftovers].join(" and ");
  const space = isDryRun ? `about ${formatBytes(freed)} of ${inUse}` : `${formatBytes(freed)} of ${inUse} freed`;
  terminal.write(`${isDryRun ? "Would remove" : "Removed"} ${what}: ${space}.\n`);
}

function describeLeftovers(collected: Collected): string[] {
  const {
    leftover_logs: logs,
    leftover_blobs: blobs,
    leftover_workspaces: workspaces,
    unused_bytes: unused,
  } = collected;
  const before = (runs: readonly string[]): string => `${countOf(runs.length, "run")} that were removed before`;
  const isUseless = blobs.length > 0 || unused > 0;
  return [
    ...(logs.length === 0 ? [] : [`the logs of ${before(logs)}`]),
    ...(workspaces.length === 0 ? [] : [`the workspaces of ${before(workspaces)}`]),
    ...(isUseless
      ? [`what was kept to undo ${blobs.length === 0 ? "runs that were removed before" : before(blobs)}`]
      : []),
  ];
}

function describeRun({ run_id: runId, workflow, status, finished_at: at, reason }: CollectedRun, now: number): string {
  const why = reason === "size" ? ", to make room" : "";
  return `${runId}  ${cleanLine(workflow)}  ${status}  ended ${formatAge(at, now)}${why}`;
}
