import { paint } from "../diagnostic/style.ts";
import { formatValue } from "../expression/format-value.ts";
import type { Value } from "../expression/value.ts";
import type { WorkflowResponse } from "../views/response.ts";
import { formatTime } from "./format-time.ts";
import { nextSteps } from "./next-steps.ts";
import { countOf } from "./print-diagnostics.ts";
import type { Terminal } from "./terminal.ts";
import { cleanLine, cleanText } from "./visible-text.ts";

const tailLines = 15;
/** Where many blocks failed, the first ones tell what the rest would. */
const mostFailures = 10;

/** How a run ended, for a person: what failed and the end of what it said, what was dealt with, and the outputs. */
export function printResult(response: WorkflowResponse, terminal: Terminal): void {
  const { colour } = terminal;
  const lines = [
    ...failures(response, colour),
    ...(response.handled_failures ?? []).map(({ block, handled_by: by, message }) => {
      const how = paint(by.length === 0 ? "allowed" : "handled", "yellow", colour);
      const who = by.length === 0 ? "" : ` (by ${by.join(", ")})`;
      return `${how} ${cleanLine(block)}${who}: ${saying(message)}`;
    }),
    ...Object.entries(response.output_errors ?? {}).map(
      ([name, message]) => `${paint("output", "yellow", colour)} ${name} is null: ${saying(message)}`,
    ),
    ...reuse(response, colour),
    ...questions(response, colour),
    ...Object.entries(response.outputs ?? {}).map(
      ([name, value]) => `${paint(name, "bold", colour)}: ${showValue(value)}`,
    ),
    lastLine(response, colour),
  ];
  terminal.write(`${lines.join("\n")}\n`);
}

function failures(response: WorkflowResponse, colour: boolean): string[] {
  const failed = (response.failed_blocks ?? []).filter(
    // Whoever cancels knows why what was running then did not end.
    ({ message }) => !(response.cancelled === true && message === response.error),
  );
  const lines: string[] = [];
  for (const { block, message, stderr_tail, stdout_tail } of failed.slice(0, mostFailures)) {
    lines.push(
      `${paint("failed", "red", colour)} ${paint(cleanLine(block), "bold", colour)}: ${saying(message)}`,
      ...indented(
        cleanText(stderr_tail ?? stdout_tail ?? "")
          .split("\n")
          .slice(-tailLines),
        "  | ",
      ).map((line) => paint(line, "dim", colour)),
    );
  }
  const more = failed.length - mostFailures;
  if (more > 0) lines.push(paint(`and ${countOf(more, "more block")} failed`, "red", colour));
  return lines;
}

/** Of a rerun: what was taken over, and why the rest ran, by reason. */
function reuse({ reused, not_reused: ran = {}, reuse_remark: remark }: WorkflowResponse, colour: boolean): string[] {
  if (reused === undefined) return [];
  const { "...": more, ...reasons } = ran;
  const byReason = new Map<string, string[]>();
  for (const [block, why] of Object.entries(reasons)) byReason.set(why, [...(byReason.get(why) ?? []), block]);
  return [
    `${paint("reused", "bold", colour)} ${reused.length === 0 ? "nothing" : reused.map(cleanLine).join(", ")}`,
    ...[...byReason].map(([why, blocks]) => `${paint("ran", "bold", colour)} ${listNames(blocks)}: ${saying(why)}`),
    ...(more === undefined ? [] : [`${paint("ran", "bold", colour)} ... ${more}`]),
    ...(remark === undefined ? [] : [paint(cleanLine(remark), "yellow", colour)]),
  ];
}

/** Where many did the same, the first ones tell which they are. */
const mostNames = 10;

function listNames(names: readonly string[]): string {
  const named = names.slice(0, mostNames).map(cleanLine).join(", ");
  return names.length > mostNames ? `${named} and ${names.length - mostNames} more` : named;
}

/** Each question with how to answer it: they may be answered in any order. */
function questions(response: WorkflowResponse, colour: boolean): string[] {
  return (response.pending ?? []).flatMap((pending) => [
    `${paint("asks", "yellow", colour)} ${cleanLine(pending.block)}:`,
    ...indented(cleanText(pending.prompt.trim()).split("\n"), "  "),
    ...(pending.choices === undefined ? [] : [`  (one of: ${pending.choices.map(cleanLine).join(", ")})`]),
    paint(`  ${nextSteps.answer([pending])}`, "dim", colour),
  ]);
}

/** What a message quotes may have lines of its own, and none of them is to pass for a line of ours. */
function saying(message: string): string {
  return cleanText(message).replaceAll("\n", "\n  ");
}

function indented(lines: readonly string[], by: string): string[] {
  return lines.filter((line) => line !== "").map((line) => by + line);
}

function showValue(value: Value): string {
  if (value === null) return "null";
  const text = cleanText((typeof value === "string" ? value : formatValue(value)).trimEnd());
  return text.includes("\n") ? `\n${text.replaceAll(/^/gm, "  ")}` : text;
}

function lastLine(response: WorkflowResponse, colour: boolean): string {
  const { status, workflow = "", error, cancelled, message, handled_failures: handled = [] } = response;
  const dealtWith = handled.length === 0 ? "" : ` (${describeHandled(handled)})`;
  if (status === "success") {
    // What was handled stands above, by name.
    const remark = message === undefined || handled.length > 0 ? "" : `: ${saying(message)}`;
    return `${paint("success", "green", colour)} ${workflow}${dealtWith}${remark}`;
  }
  if (status === "paused") {
    const sleeps =
      response.wake_at === undefined ? "" : `, and part of it sleeps until ${formatTime(response.wake_at)}`;
    const waits = `waits for ${countOf(response.pending?.length ?? 0, "answer")}${sleeps}`;
    return `${paint("paused", "yellow", colour)} ${workflow} ${response.run_id ?? ""}: ${waits}`;
  }
  if (status === "interrupted" || status === "running" || status === "sleeping") {
    return `${paint(status, "yellow", colour)} ${workflow}: ${saying(error ?? message ?? "")}`;
  }
  if (cancelled) return `${paint("cancelled", "red", colour)} ${workflow}`;
  return `${paint("failure", "red", colour)} ${workflow}: ${saying(error ?? "")}`;
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
