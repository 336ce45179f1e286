import type { BlockRecord } from "../../views/block-records.ts";
import { endOfOutput, type FailedBlock } from "../../views/failures.ts";
import type { ShownRun } from "../../views/shown-run.ts";
import { nextSteps } from "../next-steps.ts";
import { formatMilliseconds } from "../text/format-duration.ts";
import { cleanText } from "../text/visible-text.ts";

const mostRows = 100;
const mostFailures = 10;
const longestTail = 2_000;
const longestText = 300;

/** A run as a page of Markdown for people who look at a job: how it ended, its blocks, and what failed. Never longer than they read. */
export function describeSummary(shown: ShownRun): string {
  const response = shown.describe({ format: "minimal", nextSteps });
  const { status, workflow = "", run_id: runId = "", failed_blocks: failed = [], pending = [] } = response;
  const handled = new Set((response.handled_failures ?? []).map(({ block }) => block));
  const blocks = inTreeOrder(shown.blocks());
  const rows = blocks.length <= mostRows ? blocks : [...blocks].sort(failedFirst).slice(0, mostRows);
  const more = blocks.length - rows.length;
  const lines = [
    `### ${code(workflow)}: ${response.cancelled ? "cancelled" : status}`,
    "",
    "| block | result | time |",
    "|---|---|---|",
    ...rows.map((block) => describeRow(block, shown.elementOf(block.path), handled)),
    ...(more > 0 ? ["", `and ${more} more blocks`] : []),
    ...failed.slice(0, mostFailures).flatMap(describeFailure),
    ...(failed.length > mostFailures ? ["", `and ${failed.length - mostFailures} more blocks failed`] : []),
    ...pending.slice(0, mostFailures).flatMap((question) => {
      const asks = `${nameBlock(question.block, shown.elementOf(question.block))} asks: ${plain(question.prompt)}`;
      return ["", `${asks}<br>${plain(nextSteps.answer([question]))}`];
    }),
    "",
    `Run ${code(runId)}`,
    "",
  ];
  return `${lines.join("\n")}\n`;
}

/** Each block followed by what is inside it. */
function inTreeOrder(blocks: readonly BlockRecord[]): readonly BlockRecord[] {
  const inside = new Map<string, BlockRecord[]>();
  for (const block of blocks) {
    const around = block.path.slice(0, Math.max(0, block.path.lastIndexOf("/")));
    const known = inside.get(around);
    if (known === undefined) inside.set(around, [block]);
    else known.push(block);
  }
  const below = (path: string): BlockRecord[] =>
    (inside.get(path) ?? []).flatMap((block) => [block, ...below(block.path)]);
  return below("");
}

function failedFirst(one: BlockRecord, other: BlockRecord): number {
  return Number(other.metadata.failed) - Number(one.metadata.failed);
}

function describeRow(
  { path, metadata }: BlockRecord,
  element: string | undefined,
  handled: ReadonlySet<string>,
): string {
  const time = metadata.execution_time_ms > 0 ? formatMilliseconds(metadata.execution_time_ms) : "";
  return `| ${nameBlock(path, element)} | ${handled.has(path) ? "⚠️ failed, handled" : wordOf(metadata)} | ${time} |`;
}

function wordOf({ status, outcome, failed, skipped }: BlockRecord["metadata"]): string {
  if (failed) return "❌ failed";
  if (skipped) return "skipped";
  return status === "completed" && outcome === "success" ? "✅ success" : plain(status);
}

function describeFailure(failed: FailedBlock): string[] {
  const { block, element, message } = failed;
  const tail = endOfOutput(failed).slice(-longestTail);
  return [
    "",
    `${nameBlock(block, element)} failed: ${plain(message)}`,
    ...(tail === ""
      ? []
      : [
          "",
          "<details open><summary>The end of its output</summary>",
          "",
          `<pre>${escapeHtml(tail)}</pre>`,
          "</details>",
        ]),
  ];
}

function nameBlock(path: string, element: string | undefined): string {
  return element === undefined ? code(path) : `${code(path)} (${plain(element)})`;
}

function code(text: string): string {
  return `<code>${plain(text)}</code>`;
}

/** On one line. */
function plain(text: string): string {
  const line = cleanText(text).trim().replaceAll(/\s+/g, " ");
  return escapeHtml(line.length > longestText ? `${line.slice(0, longestText)}...` : line);
}

/** With nothing in it that Markdown, HTML or GitHub would take for its own. */
function escapeHtml(text: string): string {
  return cleanText(text).replaceAll(/[&<>|`*_[\]\\@#]/g, (character) => `&#${character.charCodeAt(0)};`);
}
