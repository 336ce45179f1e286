import { findRunId } from "../../runs/find-run-id.ts";
import { shortRunIds } from "../../runs/short-run-ids.ts";
import { defined } from "../../util/defined.ts";
import { readMoment } from "../../util/moment.ts";
import { quoteWord } from "../../util/quote-word.ts";
import { describeListed, type ListedStatus, type ListQuery, listedStatuses, listRuns } from "../../views/list-runs.ts";
import type { AddCommand, CliContext } from "../context.ts";
import { exitCodes } from "../context.ts";
import { parseLimit } from "../options/parse-count.ts";
import { parseMoment } from "../options/parse-moment.ts";
import { parseStatuses } from "../options/parse-statuses.ts";
import { printJson, refuse } from "../print-diagnostics.ts";
import { printRunLines, printRuns } from "../print-runs.ts";

interface Options {
  readonly all?: true;
  readonly status?: readonly ListedStatus[];
  readonly workflow?: readonly string[];
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly before?: string;
  readonly json?: true;
}

export const addRunsCommand: AddCommand = (program, context, end) => {
  program
    .command("runs")
    .description("list the runs of this directory, newest first: how each stands, what it waits for or why it failed")
    .option("--all", "of all directories")
    .option(
      "--status <status...>",
      `only those with one of these: ${listedStatuses.join(", ")}; \`failed\` and the like will do`,
      parseStatuses,
    )
    .option("--workflow <name...>", "only runs of these workflows")
    .option("--since <time>", "only those that began then or later: 2h, 3d, today, 2026-11-01", parseMoment)
    .option("--until <time>", "only those that began then or earlier; of a day, all of it", parseMoment)
    .option("--limit <n>", "how many to show, 0 for all; else as many as fit on the screen, in a pipe all", parseLimit)
    .option("--before <run>", "only those that began before this one, for the next page")
    .option("--json", "print one JSON document")
    .action(async (options: Options) => end(await showRuns(options, context)));
};

async function showRuns(options: Options, context: CliContext): Promise<number> {
  const { terminal, platform } = context;
  const json = options.json === true;
  const before = options.before === undefined ? undefined : await findRunId(platform, options.before);
  if (before?.ok === false) return refuse([before.error], json, terminal);
  const now = platform.clock.now().getTime();
  const query: ListQuery = defined({
    statuses: options.status,
    workflows: options.workflow,
    since: options.since === undefined ? undefined : readMoment(options.since, now),
    until: options.until === undefined ? undefined : readMoment(options.until, now, true),
    before: before?.value,
  });
  // All of them, because those that are not shown are counted.
  const found = (await listRuns(platform, query)).runs;
  const real = platform.realDirectory(".");
  const here = real.ok ? real.value : "";
  const wanted = options.all ? found : found.filter(({ summary }) => summary.workspace === here);
  const limit = options.limit || undefined;
  if (json) {
    const elsewhere = found.length - wanted.length;
    const runs = wanted.slice(0, limit).map(describeListed);
    const next = runs.length < wanted.length ? runs.at(-1)?.run_id : undefined;
    const more = { next, in_other_directories: elsewhere === 0 ? undefined : elsewhere };
    printJson({ runs, ...defined(more) }, terminal);
    return exitCodes.success;
  }
  const list = {
    runs: wanted,
    elsewhere: options.all ? [] : found.filter(({ summary }) => summary.workspace !== here),
    here,
    isFiltered: Object.keys(query).length > 0,
    ...defined({ limit: options.limit }),
    command: (...more: readonly string[]) => commandLine(options, more),
  };
  if (terminal.isTerminal) printRuns(list, await shortRunIds(platform), context);
  else printRunLines(list, context);
  return exitCodes.success;
}

/** The same list with something else added. */
function commandLine({ all, status, workflow, since, until }: Options, more: readonly string[]): string {
  const words = [
    ...(all && !more.includes("--all") ? ["--all"] : []),
    ...(status === undefined ? [] : ["--status", ...status]),
    ...(workflow === undefined ? [] : ["--workflow", ...workflow]),
    ...(since === undefined ? [] : ["--since", since]),
    ...(until === undefined ? [] : ["--until", until]),
    ...more,
  ];
  return ["frond runs", ...words.map((word) => quoteWord(word, "posix"))].join(" ");
}
