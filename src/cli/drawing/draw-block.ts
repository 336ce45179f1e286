import { paint, type Style } from "../../diagnostic/style.ts";
import { formatValue } from "../../expression/format-value.ts";
import type { Value, ValueMap } from "../../expression/value.ts";
import { quoteWord } from "../../util/quote-word.ts";
import type { ChangedFile } from "../../views/changed-files.ts";
import type { StoredBlock } from "../../views/read-block.ts";
import type { BlockStatus, RunTree, TreeRow } from "../../views/run-tree.ts";
import { wordCost } from "../../views/word-spend.ts";
import type { CliContext } from "../context.ts";
import { nextSteps } from "../next-steps.ts";
import { formatMilliseconds } from "../text/format-duration.ts";
import { formatAge, formatTime } from "../text/format-time.ts";
import { formatValues } from "../text/format-values.ts";
import { cleanLine, cleanText, cutToWidth } from "../text/visible-text.ts";
import { wrapWords } from "../text/wrap-words.ts";
import { drawTree } from "./draw-tree.ts";

const words: Readonly<Record<BlockStatus, readonly [word: string, style?: Style]>> = {
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

/** One block for a person: how it stands, its attempts, what it was given, what it changed and what it gave. */
export function drawBlock(stored: StoredBlock, context: CliContext): string[] {
  const { workflow, data, tree, texts, files } = stored;
  const { terminal, platform } = context;
  const now = platform.clock.now().getTime();
  const { block, metadata, outputs, pending, log_tail: log, run_id: runId } = data;
  const [row, ...inside] = tree.rows as readonly [TreeRow, ...TreeRow[]];
  const [word, style] = words[row.status];
  const bare = block.replace(/@\d+$/, "");
  // Between attempts time goes by in which it does not run.
  const ended =
    metadata.attempts > 1 && metadata.completed_at !== undefined ? `, ended ${formatTime(metadata.completed_at)}` : "";
  const attempts = metadata.attempts > 1 ? `${ended}, attempt ${metadata.attempts}` : "";
  const columns = terminal.isInteractive ? terminal.columns - 1 : Number.POSITIVE_INFINITY;
  const wrap = (text: string): string[] => wrapWords(cleanText(text), columns);
  return [
    `${paint(cleanLine(block), "bold", terminal.colour)} of ${cleanLine(workflow)} ${runId}`,
    `${style === undefined ? word : paint(word, style, terminal.colour)}${describeTimes(ownTimes(row, data), now)}${attempts}`,
    ...describeCost(metadata),
    ...(metadata.message === undefined ? [] : wrap(metadata.message)),
    ...(row.wake_at === undefined ? [] : [`goes on at ${formatTime(row.wake_at)}`]),
    ...(pending === undefined ? [] : [...wrap(pending.prompt.trim()), nextSteps.answer([pending])]),
    ...(inside.length === 0 ? [] : ["", ...drawWhole(tree, context)]),
    ...drawSection(
      `attempts (each of them: frond show ${runId} ${quoteWord(`${cleanLine(bare)}@N`, "posix")})`,
      describeAttempts(metadata.attempt_history),
      context,
    ),
    ...drawSection("inputs", formatInputs(data.inputs, texts), context),
    ...drawSection("files", files.map(describeFile), context),
    ...drawSection("outputs", formatValues(log === "" ? outputs : withoutLog(outputs)), context),
    ...(log === ""
      ? []
      : drawSection(
          `end of the log (all of it: frond logs ${runId} ${quoteWord(cleanLine(block), "posix")})`,
          cleanText(log.trimEnd())
            .split("\n")
            .slice(-mostLogLines)
            .map((line) => `  | ${line}`),
          context,
        )),
  ];
}

/** What it has cost, and what it may cost where it has a budget. */
function describeCost({ spend, budget }: StoredBlock["data"]["metadata"]): string[] {
  const cost = wordCost(spend as Parameters<typeof wordCost>[0]);
  const limits = Object.entries((budget ?? {}) as ValueMap).filter(([name]) => name.startsWith("max_"));
  const limited =
    limits.length === 0 ? "" : `budget: ${limits.map(([name, most]) => `${name} ${formatValue(most)}`).join(", ")}`;
  if (cost === undefined) return limited === "" ? [] : [limited];
  return [limited === "" ? `cost ${cost}` : `cost ${cost}; ${limited}`];
}

/** A command as it is written, and below it the values that it was given: they never became part of it. */
function formatInputs(inputs: ValueMap, texts: StoredBlock["texts"]): string[] {
  return Object.entries(inputs).flatMap(([name, value]) => {
    const { text, values } = texts[name] ?? { text: value, values: [] };
    const lines = values.map(({ reference, value: given, is_pasted }) => {
      const shown = cutToWidth(cleanLine(quoteWord(formatValue(given), "posix")), longestValue);
      if (given === reference) return `  with ${cleanLine(reference)} (a secret)`;
      return `  with ${cleanLine(reference)} = ${shown}${is_pasted ? " (pasted in)" : ""}`;
    });
    return [...formatValues({ [name]: text }), ...lines];
  });
}

const longestValue = 500;

/** What a command wrote stands in its log. */
function withoutLog({ stdout: _, stderr: __, ...outputs }: ValueMap): ValueMap {
  return outputs;
}

function describeFile({ what, path, from }: ChangedFile): string {
  return `  ${what.padEnd("created".length)}  ${from === undefined ? "" : `${cleanLine(from)} -> `}${cleanLine(path)}`;
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

interface EndedAttempt {
  readonly outcome: string;
  readonly message: string | null;
  readonly started_at: string;
  readonly completed_at: string;
}

/** Each with its address, by which it can be shown, when it began and how long it took. */
function describeAttempts(history: Value | undefined): string[] {
  if (!Array.isArray(history)) return [];
  return history.map((attempt, index) => {
    const { outcome, message, started_at: startedAt, completed_at: completedAt } = attempt as unknown as EndedAttempt;
    const took = formatMilliseconds(Math.max(0, Date.parse(completedAt) - Date.parse(startedAt)));
    const how = outcome === "success" ? "succeeded" : cleanLine(message ?? "failed");
    return `  @${index + 1} ${formatTime(startedAt)}, ${took}: ${how}`;
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

export function describeStart(at: string, now: number): string {
  return `started ${formatTime(at)} (${formatAge(at, now)})`;
}

export function drawSection(title: string, lines: readonly string[], { terminal }: CliContext): string[] {
  return lines.length === 0 ? [] : ["", paint(title, "bold", terminal.colour), ...lines];
}

/** A tree of which nothing is cut but what is wider than the screen. */
export function drawWhole(tree: RunTree, { terminal, platform }: CliContext): string[] {
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
