import { Option } from "commander";
import { type Problem, problem } from "../../diagnostic/problem.ts";
import { describeWait } from "../../runs/choose-queue.ts";
import { findRunId } from "../../runs/find-run-id.ts";
import { isOverdue } from "../../runs/read-run.ts";
import { defined } from "../../util/defined.ts";
import { chooseLogs } from "../../views/choose-logs.ts";
import { describePage } from "../../views/describe-page.ts";
import { type Followed, followLogs } from "../../views/follow-logs.ts";
import { readLogPage } from "../../views/read-log-text.ts";
import { LogDecoder, LogReader, type LogSelection } from "../../views/read-logs.ts";
import { describeQuestion } from "../../views/response.ts";
import type { TextQuery } from "../../views/text-page.ts";
import { isAway, readLogsPatiently, waitOutOutages } from "../../views/wait-out-outages.ts";
import { type AddCommand, type CliContext, exitCodes } from "../context.ts";
import { giveUpWatching, sayAway } from "../give-up-watching.ts";
import { nextSteps } from "../next-steps.ts";
import { parseCount } from "../options/parse-count.ts";
import { printJson, printJsonLine, refuse } from "../print-diagnostics.ts";
import {
  type ChunkData,
  describeChunk,
  JsonLogPrinter,
  LineLogPrinter,
  type LogPrinter,
  RawLogPrinter,
} from "../print-logs.ts";
import { formatMilliseconds } from "../text/format-duration.ts";
import { cleanLine } from "../text/visible-text.ts";

interface Options {
  readonly attempt?: number;
  readonly follow?: true;
  readonly json?: true;
  readonly tail?: number;
  readonly grep?: string;
  readonly limit?: number;
}

export const addLogsCommand: AddCommand = (program, context, end) => {
  program
    .command("logs")
    .description("show what the blocks of a run wrote, while it goes on or later")
    .argument("<run>", "run id, the beginning of one, or `last`")
    .argument(
      "[block]",
      "only this block and what is inside it: its path from the root, such as deploy/build, or deploy@2/build for an attempt",
    )
    .option(
      "-f, --follow",
      "go on until the run ends, pauses or sleeps, whichever process drives it; Ctrl-C only stops following",
    )
    .option(
      "--attempt <n>",
      "only this attempt of the block, the same as BLOCK@n; all of them otherwise, in order",
      parseCount,
    )
    .addOption(new Option("--tail <lines>", "only the last lines").argParser(parseCount).conflicts("follow"))
    .addOption(
      new Option(
        "--grep <text>",
        "only lines with this text or, where none has it, those that match it as an RE2 pattern; each with its number",
      ).conflicts("follow"),
    )
    .addOption(
      new Option("--limit <characters>", "at most so much: of --grep the beginning, else the end")
        .argParser(parseCount)
        .conflicts("follow"),
    )
    .option("--json", "print one JSON document; with -f one on each line")
    .action(async (run: string, block: string | undefined, options: Options) =>
      end(await showLogs(run, block, options, context)),
    );
};

async function showLogs(
  run: string,
  block: string | undefined,
  options: Options,
  context: CliContext,
): Promise<number> {
  const { terminal, platform } = context;
  const json = options.json === true;
  const runId = await findRunId(platform, run);
  if (!runId.ok) return refuse([runId.error], json, terminal);
  const { attempt } = options;
  const asked = defined({ block: block?.replaceAll(/^\/|\/$/g, ""), attempt });
  const catalog = context.openRuntime(".").workflows.catalog;
  const chosen = await chooseLogs(platform, catalog, runId.value, asked, options.follow === true);
  if (!chosen.ok) return refuse([chosen.error], json, terminal);
  const { selection } = chosen.value;
  const { tail, grep, limit } = options;
  if (tail !== undefined || grep !== undefined || limit !== undefined) {
    return showPart(runId.value, selection, { tail, grep, limit: limit ?? usualLimit }, json, context);
  }
  if (options.follow) return follow(runId.value, selection, chosen.value.isSingle, json, context);
  const reader = new LogReader(platform.logs, runId.value, selection);
  reader.learn(await (await platform.journal()).read(runId.value));
  if (selection.attempt !== undefined && reader.attempts.length === 0) {
    return refuse([noSuchAttempt(selection)], json, terminal);
  }
  if (json) await printDocument(runId.value, reader, context);
  else await printAll(reader, chosen.value.isSingle, context);
  return exitCodes.success;
}

/** What a person may want to see at once, and a program that says nothing else. */
const usualLimit = 10_000_000;

/** How much there is in all is told beside it. */
async function showPart(
  runId: string,
  selection: LogSelection,
  query: TextQuery,
  json: boolean,
  { terminal, platform, openRuntime }: CliContext,
): Promise<number> {
  const page = await readLogPage(platform, openRuntime(".").workflows.catalog, runId, selection, query);
  if (!page.ok) return refuse([page.error], json, terminal);
  const { text, lines, bytes, matches } = page.value;
  if (json) {
    printJson({ run_id: runId, lines, bytes, ...defined({ matched: matches?.total }), text }, terminal);
    return exitCodes.success;
  }
  terminal.writeBytes(Buffer.from(text === "" || text.endsWith("\n") ? text : `${text}\n`));
  terminal.writeError(`${describePage(page.value, query)}\n`);
  return exitCodes.success;
}

/** The blocks that write may have had one attempt each in several of what is around them. */
function noSuchAttempt({ block, attempt }: LogSelection): Problem {
  const where = block === undefined ? "" : ` in '${block}'`;
  const fix = "Leave --attempt out. An attempt of a block around it is part of the path: deploy@2/build.";
  return problem("unknown-attempt", `No block has an attempt ${attempt}${where}.`, fix);
}

function choosePrinter(reader: LogReader, isSingle: boolean, { terminal }: CliContext): LogPrinter {
  if (isSingle && !terminal.isTerminal) return new RawLogPrinter(terminal);
  return new LineLogPrinter(terminal, { blocks: reader.attempts.map(({ block }) => block), named: !isSingle });
}

async function printAll(reader: LogReader, isSingle: boolean, context: CliContext): Promise<void> {
  const { terminal } = context;
  const printer = choosePrinter(reader, isSingle, context);
  let count = 0;
  for await (const entries of reader.take()) {
    for (const entry of entries) {
      printer.print(entry);
      if (++count % breathEvery === 0) await breathe();
      if (!terminal.hasReader) return;
    }
  }
  printer.end();
  if (count === 0) terminal.writeError("Nothing has been written.\n");
}

/** Signals, and the news that nobody reads any more, come between turns of the event loop. */
const breathEvery = 100;

function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function printDocument(runId: string, reader: LogReader, { terminal }: CliContext): Promise<void> {
  const decoder = new LogDecoder();
  const name = (block: string, attempt: number): string => `${attempt} ${block}`;
  const blocks = reader.attempts.map(({ block, attempt }) => ({ block, attempt, chunks: [] as ChunkData[] }));
  const byName = new Map(blocks.map((one) => [name(one.block, one.attempt), one]));
  for await (const entries of reader.take()) {
    for (const entry of entries) {
      byName.get(name(entry.block, entry.attempt))?.chunks.push(describeChunk(entry, decoder));
    }
  }
  printJson({ run_id: runId, blocks }, terminal);
}

const lookMs = 100;

async function follow(
  runId: string,
  selection: LogSelection,
  isSingle: boolean,
  json: boolean,
  context: CliContext,
): Promise<number> {
  const { terminal, platform } = context;
  const stopped = new AbortController();
  const { signal } = stopped;
  const onAway = (why: string): void => terminal.writeError(`${sayAway(runId, why)}\n`);
  const patiently = waitOutOutages({ signal, onAway });
  const reader = new LogReader(readLogsPatiently(platform.logs, patiently), runId, selection);
  const stopListening = context.onInterrupt(() => stopped.abort());
  // That nobody reads any more is known a moment after something was written, and the block may write nothing else for hours.
  const watching = setInterval(() => terminal.hasReader || stopped.abort(), lookMs);
  const codeWhenStopped = (): number => (terminal.hasReader ? exitCodes.cancelled : exitCodes.success);
  const printer = json ? new JsonLogPrinter(terminal) : choosePrinter(reader, isSingle, context);
  try {
    const parts = followLogs(platform, runId, reader, signal, patiently);
    for (let count = 1; ; ) {
      const next = await parts.next();
      if (signal.aborted) return codeWhenStopped();
      if (next.done) {
        printer.end();
        if (next.value !== undefined) sayHowItEnded(next.value, json, context);
        return exitCodes.success;
      }
      for (const entry of next.value) {
        printer.print(entry);
        if (count++ % breathEvery === 0) await breathe();
        if (signal.aborted) return codeWhenStopped();
        if (!terminal.hasReader) return exitCodes.success;
      }
    }
  } catch (error) {
    if (!isAway(error)) throw error;
    return signal.aborted ? codeWhenStopped() : giveUpWatching(runId, error, json, terminal);
  } finally {
    stopListening();
    clearInterval(watching);
  }
}

function sayHowItEnded({ summary, status }: Followed, json: boolean, { terminal, platform }: CliContext): void {
  const { runId, workflow, error, durationMs, questions, wakeAt } = summary;
  if (json) return printJsonLine({ run_id: runId, status }, terminal);
  const about = {
    success: `after ${formatMilliseconds(durationMs ?? 0)}`,
    failure: error ?? "",
    paused: nextSteps.answer(questions.map(({ id, path, question }) => describeQuestion(id, path, question))),
    sleeping: nextSteps.wake(runId, wakeAt ?? "", isOverdue(summary, platform)),
    interrupted: nextSteps.takeOver(runId),
    queued: `waits for ${describeWait(summary.queue, summary.host)}`,
    running: "",
  }[status];
  terminal.writeError(`${status} ${cleanLine(workflow)} ${runId}: ${cleanLine(about)}\n`);
}
