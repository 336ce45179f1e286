import { paint } from "../diagnostic/style.ts";
import { formatValue } from "../expression/format-value.ts";
import type { Value } from "../expression/value.ts";
import type { ConflictData } from "../views/describe-undone.ts";
import { endOfOutput, type FailedBlock } from "../views/failures.ts";
import type { WorkflowResponse } from "../views/response.ts";
import { wordCost, wordOverBudget } from "../views/word-spend.ts";
import { nextSteps } from "./next-steps.ts";
import { countOf } from "./print-diagnostics.ts";
import type { Terminal } from "./terminal.ts";
import { formatMilliseconds } from "./text/format-duration.ts";
import { formatTime } from "./text/format-time.ts";
import type { Segment } from "./text/lay-out-line.ts";
import { cleanLine, cleanText } from "./text/visible-text.ts";
import { wrapWords } from "./text/wrap-words.ts";

const tailLines = 15;
/** Where many blocks failed, the first ones tell what the rest would. */
const mostFailures = 10;

/**
 * How a run ended, for a person: its outputs, what was dealt with, what failed and the end of what that said, unless that stands right
 * above, and in one line the rest.
 */
export function printResult(
  response: WorkflowResponse,
  terminal: Terminal,
  isInSight: (block: string) => boolean = () => false,
): void {
  const page: Page = {
    colour: terminal.colour,
    columns: terminal.isInteractive ? terminal.columns - 1 : Number.POSITIVE_INFINITY,
  };
  // What went wrong stands next to the end, where it is looked for.
  const lines = [
    ...reuse(response, page),
    ...Object.entries(response.outputs ?? {}).map(
      ([name, value]) => `${paint(name, "bold", page.colour)}: ${showValue(value)}`,
    ),
    ...Object.entries(response.output_errors ?? {}).flatMap(([name, message]) =>
      write([["output", "yellow"]], ` ${name} is null: ${message}`, page),
    ),
    ...(response.handled_failures ?? []).flatMap(({ block, handled_by: by, message }) => {
      const who = by.length === 0 ? "" : ` (by ${by.join(", ")})`;
      return write([[by.length === 0 ? "allowed" : "handled", "yellow"]], ` ${block}${who}: ${message}`, page);
    }),
    ...undone(response, page),
    ...failures(response, isInSight, page),
    ...rollbacks(response, page),
    ...stepCounts(response, page),
    ...questions(response, page),
    ...lastLine(response, page),
  ];
  terminal.write(`${lines.join("\n")}\n`);
}

/** What to type next, a line for each; nothing where that is part of the result, or where nothing is to be done. */
export function describeNextSteps({ status, message = "", undo, steps }: WorkflowResponse, colour: boolean): string {
  if ((status === "success" && undo === undefined && steps === undefined) || status === "paused") return "";
  const told = status === "failure" || status === "success" ? message.split("\n") : message.split("\n").slice(1);
  const lines = told.filter((step) => step !== "").map((step) => paint(`  ${cleanLine(step)}`, "dim", colour));
  return lines.map((line) => `${line}\n`).join("");
}

/** What lines are made for. */
interface Page {
  readonly colour: boolean;
  readonly columns: number;
}

/**
 * Some words that are painted, and a text behind them. What a message quotes may have lines of its own, and none of them is to pass for
 * a line of ours, so all but the first are indented.
 */
function write(painted: readonly Segment[], text: string, { columns, colour }: Page): string[] {
  const start = painted.map(([word]) => word).join(" ");
  const [first = "", ...others] = wrapWords(cleanText(`${start}${text}`), columns, { following: "  " });
  let left = first;
  let line = "";
  for (const [word, style] of painted) {
    if (!left.startsWith(word)) break;
    const gap = left[word.length] === " " ? " " : "";
    line += `${style === undefined ? word : paint(word, style, colour)}${gap}`;
    left = left.slice(word.length + gap.length);
  }
  return [`${line}${left}`, ...others];
}

function failures(response: WorkflowResponse, isInSight: (block: string) => boolean, page: Page): string[] {
  const failed = (response.failed_blocks ?? []).filter(
    (block) => !isStopped(block, response) && !isTold(block, response),
  );
  const lines: string[] = [];
  for (const one of failed.slice(0, mostFailures)) {
    const { block, element, message } = one;
    const which = element === undefined ? "" : ` (${element})`;
    const tail = cleanText(isInSight(block) ? "" : endOfOutput(one))
      .split("\n")
      .slice(-tailLines)
      .filter((line) => line !== "");
    lines.push(
      ...write(
        [
          ["failed", "red"],
          [cleanLine(block), "bold"],
        ],
        `${which}: ${withoutEnd(message, tail)}`,
        page,
      ),
      ...tail.flatMap((line) => quote(line, page)),
    );
  }
  const more = failed.length - mostFailures;
  if (more > 0) lines.push(paint(`and ${countOf(more, "more block")} failed`, "red", page.colour));
  return lines;
}

/** Whoever cancels knows why what was running then did not end. */
function isStopped({ message }: FailedBlock, { cancelled, error }: WorkflowResponse): boolean {
  return cancelled === true && message === error;
}

/** What an undo could not take back stands above, path by path. */
function isTold({ message }: FailedBlock, { undo }: WorkflowResponse): boolean {
  return undo?.conflicts?.some(({ path }) => message.includes(`'${path}'`)) === true;
}

/** What stands right below is not said twice. */
function withoutEnd(message: string, tail: readonly string[]): string {
  const end = `: ${tail.at(-1)}`;
  return cleanText(message).endsWith(end) ? cleanText(message).slice(0, -end.length) : message;
}

function quote(line: string, { columns, colour }: Page): string[] {
  return wrapWords(line, columns, { first: "  | ", following: "  |   " }).map((part) => paint(part, "dim", colour));
}

/** Of a rerun: what was taken over, and why the rest ran, by reason. */
function reuse(response: WorkflowResponse, page: Page): string[] {
  const { reused, not_reused: ran = {}, reuse_remark: remark, run_id: runId = "" } = response;
  if (reused === undefined) return [];
  const { "...": more, ...reasons } = ran;
  const byReason = new Map<string, string[]>();
  for (const [block, why] of Object.entries(reasons)) byReason.set(why, [...(byReason.get(why) ?? []), block]);
  return [
    ...write([["reused", "bold"]], ` ${reused.length === 0 ? "nothing" : reused.map(cleanLine).join(", ")}`, page),
    ...[...byReason].flatMap(([why, blocks]) => write([["ran", "bold"]], ` ${listNames(blocks)}: ${why}`, page)),
    ...(more === undefined ? [] : write([["ran", "bold"]], ` ... ${more}`, page)),
    ...(remark === undefined
      ? []
      : [
          ...wrapWords(cleanLine(remark), page.columns, { following: "  " }),
          // Nobody knows what the commands would say of the changed files. Where nothing ran, the last line says how to run all.
          ...(byReason.size === 0 ? [] : [`  To run them too: frond rerun ${runId} --all`]),
        ].map((line) => paint(line, "yellow", page.colour))),
  ];
}

/** Where many did the same, the first ones tell which they are. */
const mostNames = 10;

function listNames(names: readonly string[]): string {
  const named = names.slice(0, mostNames).map(cleanLine).join(", ");
  return names.length > mostNames ? `${named} and ${names.length - mostNames} more` : named;
}

/** Of a run that takes another back: what came back, and what stayed. */
function undone({ undo }: WorkflowResponse, page: Page): string[] {
  if (undo === undefined) return [];
  const { of, block, to, restored, already = 0, conflicts = [], ran = [], not_run: notRun = [] } = undo;
  const { not_restored: notRestored = 0 } = undo;
  const after = to === undefined ? "" : ` after ${cleanLine(to)}`;
  const what = block === undefined ? `${of}${after}` : `${cleanLine(block)} of ${of}`;
  const part = notRestored > 0 || notRun.length > 0 ? " in part" : "";
  const before = already === 0 ? "" : `, ${already} ${already === 1 ? "was" : "were"} so already`;
  const paths = `${countOf(restored, "path")} ${restored === 1 ? "is" : "are"} as before${before}`;
  const done = [
    ...(restored + already === 0 && ran.length > 0 ? [] : [paths]),
    ...(ran.length === 0 ? [] : [`the \`undo\` of ${listNames(ran)} has run`]),
  ];
  return [
    ...write([["undone", "bold"]], ` ${what}${part}: ${done.join(", ")}`, page),
    ...stayed(conflicts, page),
    ...(notRestored === 0
      ? []
      : write([["  not restored", "yellow"]], `: ${countOf(notRestored, "path")} at most`, page)),
    ...(notRun.length === 0
      ? []
      : write([["  not undone", "yellow"]], `: ${listNames(notRun)}, whose \`undo\` has not run to its end`, page)),
  ];
}

/** What was taken back because it failed: the run, or blocks of it. */
function rollbacks({ rollback, rolled_back_blocks: blocks = [] }: WorkflowResponse, page: Page): string[] {
  const all = [...blocks, ...(rollback === undefined ? [] : [{ block: "", ...rollback }])];
  return all.flatMap(({ block, state, undo_run: by, conflicts = [] }) => {
    const what = block === "" ? "" : ` ${cleanLine(block)}`;
    const how = by === undefined ? "" : ` (${by})`;
    const [word, about, style] = rollbackWords[state];
    return [...write([[word, style]], `${what}${about}${how}`, page), ...stayed(conflicts, page)];
  });
}

const rollbackWords = {
  running: ["rolling back", "", "yellow"],
  complete: ["rolled back", ": what it changed is as before", "green"],
  partial: ["rolled back", " in part: not everything is as before", "yellow"],
} as const;

/** Of a plan: what became of its steps. */
function stepCounts({ steps }: WorkflowResponse, page: Page): string[] {
  if (steps === undefined) return [];
  const { total, completed, failed, skipped, rolled_back: back } = steps;
  const others = Object.entries({ failed, skipped, "rolled back": back }).filter(([, count]) => count > 0);
  const told = [`${completed} of ${total} completed`, ...others.map(([word, count]) => `${count} ${word}`)];
  return write([["steps", "bold"]], ` ${told.join(", ")}`, page);
}

/** Where much stayed, the first of it tells why. */
const mostStayed = 10;

function stayed(conflicts: readonly ConflictData[], page: Page): string[] {
  const more = conflicts.length - mostStayed;
  return [
    ...conflicts
      .slice(0, mostStayed)
      .flatMap(({ path, why }) => write([["  stays", "yellow"]], ` ${path}: ${why}`, page)),
    ...(more > 0 ? [`  and ${more} more stay`] : []),
  ];
}

/** Each question with how to answer it: they may be answered in any order. */
function questions(response: WorkflowResponse, page: Page): string[] {
  return (response.pending ?? []).flatMap((pending) => [
    `${paint("asks", "yellow", page.colour)} ${cleanLine(pending.block)}:`,
    ...wrapWords(cleanText(pending.prompt.trim()), page.columns, { first: "  " }).filter((line) => line !== ""),
    ...(pending.choices === undefined
      ? []
      : wrapWords(`(one of: ${pending.choices.map(cleanLine).join(", ")})`, page.columns, { first: "  " })),
    paint(`  ${nextSteps.answer([pending])}`, "dim", page.colour),
  ]);
}

function showValue(value: Value): string {
  if (value === null) return "null";
  const text = cleanText((typeof value === "string" ? value : formatValue(value)).trimEnd());
  return text.includes("\n") ? `\n${text.replaceAll(/^/gm, "  ")}` : text;
}

const styles = {
  success: "green",
  failure: "red",
  cancelled: "red",
  paused: "yellow",
  sleeping: "yellow",
  running: "yellow",
  queued: "yellow",
  interrupted: "yellow",
} as const;

/** Which run it was, how it ended and how long that took; of what failed the reason stands above. */
function lastLine(response: WorkflowResponse, page: Page): string[] {
  const { workflow = "", run_id: runId, cancelled, duration_ms: duration } = response;
  const status = cancelled && response.status === "failure" ? "cancelled" : response.status;
  const took =
    duration === undefined ? "" : `${status === "cancelled" ? "after" : "in"} ${formatMilliseconds(duration)}`;
  const cost = wordCost(response.spend);
  const spent = cost === undefined ? "" : `for ${cost}${wordOverBudget(response.over_budget)}`;
  const what = [cleanLine(workflow), runId ?? "", took, spent].filter((part) => part !== "").join(" ");
  return write([[status, styles[status]]], ` ${what}${aboutEnd(response, status)}`, page);
}

function aboutEnd(response: WorkflowResponse, status: keyof typeof styles): string {
  const { error = "", message = "", handled_failures: handled = [] } = response;
  switch (status) {
    case "success":
      // What was handled stands above, by name.
      // How it is taken back again stands below.
      if (response.undo !== undefined || response.steps !== undefined) return "";
      return handled.length > 0
        ? ` (${describeHandled(handled)}${describeSkipped(response)})`
        : message === ""
          ? ""
          : `: ${message}`;
    case "paused": {
      const sleeps =
        response.wake_at === undefined ? "" : `, and part of it sleeps until ${formatTime(response.wake_at)}`;
      return `: waits for ${countOf(response.pending?.length ?? 0, "answer")}${sleeps}`;
    }
    case "cancelled": {
      const stopped = (response.failed_blocks ?? []).filter((block) => isStopped(block, response));
      return stopped.length === 0 ? "" : `: stopped ${listNames(stopped.map(({ block }) => block))}`;
    }
    case "failure": {
      const { length: left } = response.undo?.conflicts ?? [];
      if (left > 0) return `: ${countOf(left, "path")} ${left === 1 ? "stays as it is" : "stay as they are"}`;
      return `: ${withoutReason(error, response.failed_blocks)}`;
    }
    default:
      return `: ${error || (message.split("\n")[0] ?? "")}`;
  }
}

/**
 * Which block it was, and not why: that stands above. The error of a run leads to it by way of all that is around it, as in `'a' failed:
 * 'b' timed out: the reason`, and may say below that what to write.
 */
function withoutReason(error: string, failed: readonly FailedBlock[] = []): string {
  const said = failed.find(({ message }) => error.includes(`: ${message}`));
  if (said === undefined) return error;
  const end = `: ${said.message}`;
  const at = error.indexOf(end);
  const [, how] = /[')] ([a-z ]+?)(?: \(and \d+ more\))?$/.exec(error.slice(0, at)) ?? [];
  if (how === undefined) return error;
  const more = failed.length > 1 ? ` (and ${failed.length - 1} more)` : "";
  return `${said.block} ${how}${more}${error.slice(at + end.length)}`;
}

/** A success that left something out is not to pass for a whole one. */
function describeSkipped({ skipped_blocks: skipped = [] }: WorkflowResponse): string {
  return skipped.length === 0 ? "" : `, ${countOf(skipped.length, "block")} skipped for it: ${listNames(skipped)}`;
}

/** `1 failure allowed, 2 failures handled by retry_job, candles`. */
function describeHandled(failures: NonNullable<WorkflowResponse["handled_failures"]>): string {
  const handled = failures.filter(({ handled_by }) => handled_by.length > 0);
  const allowed = failures.length - handled.length;
  const by = [...new Set(handled.flatMap(({ handled_by }) => handled_by))].join(", ");
  return [
    ...(allowed > 0 ? [`${countOf(allowed, "failure")} allowed`] : []),
    ...(handled.length > 0 ? [`${countOf(handled.length, "failure")} handled by ${by}`] : []),
  ].join(", ");
}
