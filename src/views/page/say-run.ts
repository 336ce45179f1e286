import { linesWithoutAdvice } from "../../engine/failure-advice.ts";
import { howItEnded } from "../../engine/judge.ts";
import { childNodes, isLeaf, questionOf, type RunNode } from "../../engine/run-node.ts";
import { skippedForFailures } from "../failures.ts";
import type { PageStanding } from "./page-records.ts";
import { plainMessage } from "./plain-message.ts";
import type { RunPicture } from "./run-picture.ts";
import { countOf, joinWords, nameBlock, sayDuration } from "./say-words.ts";

const longestReason = 160;

/** What happens in a run and who is waited for, or how it ended and why: one or two short sentences. */
export function sayRun(picture: RunPicture, standing: PageStanding, failures: readonly RunNode[]): string {
  const { finished, root, cancelRequested } = picture.state;
  if (finished?.outcome === "success") return [`Succeeded in ${tookOf(root)}.`, ...sayHandled(picture)].join(" ");
  if (finished !== undefined) {
    const [first] = failures;
    const skipped = skippedForFailures(root).length;
    // Of one that was undone, the page says by which run beside this.
    const isCancelled = standing === "cancelled" || (standing === "undone" && cancelRequested);
    const why = isCancelled
      ? `Cancelled after ${tookOf(root)}.`
      : first === undefined
        ? `Failed: ${sayReason(finished.message)}.`
        : sayFailure(first);
    const others = failures.length - (isCancelled ? 0 : 1);
    const left = skipped === 1 ? "1 block was" : `${skipped} blocks were`;
    const name = isCancelled ? "block" : "other block";
    if (others > 0) return `${why} ${countOf(others, name)} failed${skipped > 0 ? `, ${left} skipped` : ""}.`;
    if (skipped === 0) return why;
    return `${why} ${sentence(left)} skipped${isCancelled ? "" : " for it"}.`;
  }
  const { cancelling } = root;
  const ending = cancelling === undefined ? [] : [`It is being ended: ${sayReason(cancelling.message)}.`];
  const { waitsFor } = picture.surroundings;
  if (waitsFor !== undefined) return [`It waits for ${waitsFor}.`, ...ending, ...sayFailures(failures)].join(" ");
  if (standing === "interrupted") return ["The process that drove it has ended.", ...sayFailures(failures)].join(" ");
  const doing = sayDoing(picture);
  const now = doing.length === 0 ? (cancelling === undefined ? "It goes on." : "") : `${sentence(joinWords(doing))}.`;
  const then = cancelling === undefined ? sayFailures(failures) : ending;
  return [now, ...then].filter((text) => text !== "").join(" ");
}

/** Who is waited for, and what goes on, in clauses. */
function sayDoing({ state }: RunPicture): string[] {
  const asking = [...state.questions.values()];
  const running = runningLeaves(state.root);
  const sleeping = [...state.sleeping].sort((one, other) => (untilOf(one) < untilOf(other) ? -1 : 1));
  const [soonest] = sleeping;
  return [
    ...(asking.length === 0 ? [] : [sayAsking(asking)]),
    ...(soonest === undefined ? [] : [saySleeping(soonest, sleeping.length)]),
    ...(running.length === 0 ? [] : [sayRunning(running)]),
  ];
}

function sayAsking(asking: readonly RunNode[]): string {
  const [first, ...others] = asking as [RunNode, ...RunNode[]];
  if (others.length > 0) return `${asking.length} blocks wait for answers`;
  const { about, question } = questionOf(first) ?? {};
  const name = nameBlock(first.path);
  if (about === "budget") return `${name} waits for a person, because its budget is used up`;
  if (about === "interruption") return `${name} waits for a person, because its process ended while it ran`;
  return `${name} waits for ${question?.audience === "human" ? "a person" : "an answer"}`;
}

function saySleeping(node: RunNode, count: number): string {
  if (count > 1) return `${count} blocks sleep, the first until <${untilOf(node)}>`;
  const isRetry = node.stage.kind === "sleeping" && node.stage.about === "retry";
  return `${nameBlock(node.path)} ${isRetry ? "is tried again at" : "sleeps until"} <${untilOf(node)}>`;
}

function untilOf({ stage }: RunNode): string {
  return stage.kind === "sleeping" ? stage.until : "";
}

function sayRunning(running: readonly RunNode[]): string {
  const names = running.map(({ path }) => nameBlock(path));
  if (names.length > 2) return `${countOf(names.length, "block")} run`;
  return `${names.join(" and ")} ${names.length === 1 ? "runs" : "run"}`;
}

/** What has not begun, or has ended, holds none. */
function runningLeaves(node: RunNode): RunNode[] {
  if (node.ended || node.record.metadata.status === "pending") return [];
  if (isLeaf(node)) return node.stage.kind === "running" ? [node] : [];
  return childNodes(node).flatMap(runningLeaves);
}

function sayFailures(failures: readonly RunNode[]): string[] {
  const [first] = failures;
  if (first === undefined) return [];
  if (failures.length === 1) return [sayFailure(first)];
  const loop = first.parent;
  if (loop?.inside.kind === "loop" && failures.every(({ parent }) => parent === loop)) {
    return [
      `${countOf(failures.length, "pass", "passes")} of ${loop.inside.passes.length} of ${nameBlock(loop.path)} failed.`,
    ];
  }
  return [`${countOf(failures.length, "block")} failed, ${nameBlock(first.path)} first.`];
}

function sayFailure(node: RunNode): string {
  return `${nameBlock(node.path)} ${howItEnded(node)}: ${sayReason(node.record.metadata.message)}.`;
}

function sayHandled(picture: RunPicture): string[] {
  const handled = [...picture.failed()].filter((path) => {
    const node = picture.state.nodes.get(path);
    return node !== undefined && picture.standing(node) === "handled" && node.element === undefined;
  });
  if (handled.length === 0) return [];
  if (handled.length > 1) return [`${handled.length} blocks failed, which was handled.`];
  return [`${nameBlock(handled[0] as string)} failed, which was handled.`];
}

/** In one line, without what would be taken for an address. */
export function sayReason(message: string | null): string {
  const [line = "no reason was given"] = linesWithoutAdvice(plainMessage(message ?? ""));
  const plain = line.trim().replaceAll("`", "'").replace(/\.+$/, "");
  return plain.length <= longestReason ? plain : `${plain.slice(0, longestReason).replace(/[\ud800-\udbff]$/, "")}…`;
}

function tookOf({ record }: RunNode): string {
  return sayDuration(record.metadata.execution_time_ms);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
