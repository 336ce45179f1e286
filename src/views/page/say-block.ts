import { howItEnded } from "../../engine/judge.ts";
import { questionOf, type RunNode } from "../../engine/run-node.ts";
import { ranBecauseOf } from "../../engine/weigh-failures.ts";
import type { AttemptLine } from "./detail-records.ts";
import type { Place } from "./find-place.ts";
import type { BlockCard } from "./page-records.ts";
import type { RunPicture } from "./run-picture.ts";
import { sayReason } from "./say-run.ts";
import { countOf, joinWords, nameBlock, sayDuration } from "./say-words.ts";

/** What happened to a block, why, and what comes next: one or two short sentences. */
export function sayBlock(
  picture: RunPicture,
  { node }: Place,
  card: BlockCard,
  attempts: readonly AttemptLine[],
): string {
  if (node === undefined) return "Has not begun, and neither has what it is in.";
  return [sayStanding(picture, node, card), ...sayEarlier(card, attempts)].join(" ");
}

function sayStanding(picture: RunPicture, node: RunNode, card: BlockCard): string {
  const took = sayDuration(card.duration_ms);
  const reason = sayReason(node.record.metadata.message);
  const { inside } = card;
  switch (card.standing) {
    case "done":
      if (node.origin !== undefined) return `Its result is that of ${node.origin.runId}: it did not run again.`;
      return card.is_reused ? "All in it was taken from an earlier run." : `Done in ${took}${sayTries(card)}.`;
    case "running": {
      if (card.is_rolling_back) return "It has failed, and what it did is being taken back.";
      if (node.cancelling !== undefined) return `It is being ended: ${sayReason(node.cancelling.message)}.`;
      const since = card.running_since === undefined ? "" : ` since <${card.running_since}>`;
      if (inside === undefined) return `Running${since}${sayTries(card)}.`;
      return `Running${since}${sayTries(card)}, ${inside.ended} of ${inside.total} ended.`;
    }
    case "failed":
    case "crashed":
      return `${sentence(howItEnded(node))} after ${took}${sayTries(card)}: ${reason}.`;
    case "handled":
      return `${sentence(howItEnded(node))} after ${took}: ${reason}. ${sayHandled(node)}`;
    case "cancelled":
      return `Cancelled after ${took}: ${reason}.`;
    case "interrupted":
      return "It was running when the process that drove it ended.";
    case "skipped":
      return `Skipped: ${reason}.`;
    case "asks":
      return sayAsking(picture, node);
    case "sleeping":
      return saySleeping(node, card);
    case "to_come":
      return sayWaiting(node);
    default:
      return "";
  }
}

/** Of one that may be tried more than once. */
function sayTries({ attempt, most_attempts: most }: BlockCard): string {
  if (most !== undefined && most > 1) return `, attempt ${attempt} of ${most}`;
  return attempt > 1 ? `, attempt ${attempt}` : "";
}

function sayHandled(node: RunNode): string {
  if (node.block?.definition.allowFailure === true) return "It may fail.";
  const inside = node.parent?.inside;
  const by = inside?.kind === "workflow" ? ranBecauseOf(node, inside) : [];
  if (by.length === 0) return "It was tried again.";
  return `${joinWords(by.map(({ path }) => nameBlock(path)))} ran instead.`;
}

function sayAsking({ spans }: RunPicture, node: RunNode): string {
  const asked = questionOf(node);
  if (asked === undefined) return "Something in it waits for an answer.";
  const since = spans.of(node.path).at(-1)?.from;
  const who = asked.question.audience === "human" || asked.about !== "block" ? "a person" : "an answer";
  const why = asked.about === "budget" ? ", because its budget is used up" : "";
  const ended = asked.about === "interruption" ? ", because its process ended while it ran" : "";
  return `Waits for ${who}${why}${ended}${since === undefined ? "" : ` since <${since}>`}.`;
}

function saySleeping({ stage }: RunNode, card: BlockCard): string {
  if (stage.kind !== "sleeping") return "Something in it sleeps.";
  const { attempt, most_attempts: most } = card;
  if (stage.about === "block") return `Sleeps until <${stage.until}>.`;
  if (stage.about === "repeat") return `Its next pass begins at <${stage.until}>.`;
  return `Attempt ${attempt + 1}${most === undefined ? "" : ` of ${most}`} begins at <${stage.until}>.`;
}

function sayWaiting(node: RunNode): string {
  const siblings = node.parent?.inside.kind === "workflow" ? node.parent.inside.children : [];
  const open = (node.block?.edges ?? []).flatMap(({ on }) => siblings[on] ?? []).filter(({ ended }) => !ended);
  if (open.length === 0)
    return node.block?.definition.isFinally ? "Runs when everything else has ended." : "Is to come.";
  if (open.length > 3) return `Waits for ${countOf(open.length, "block")}.`;
  return `Waits for ${joinWords(open.map(({ path }) => nameBlock(path)))}.`;
}

/** The last attempt before the one that is told of. */
function sayEarlier({ attempt, standing }: BlockCard, attempts: readonly AttemptLine[]): string[] {
  const last = standing === "sleeping" ? attempt : attempt - 1;
  const before = attempts.find((line) => line.attempt === last);
  if (before?.message === undefined) return [];
  const took = sayDuration(before.duration_ms ?? 0);
  const words =
    before.standing === "crashed" ? "could not run" : before.standing === "interrupted" ? "was interrupted" : "failed";
  return [`Attempt ${last} ${words} after ${took}: ${sayReason(before.message)}.`];
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
