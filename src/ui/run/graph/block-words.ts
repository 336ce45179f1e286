import type { BlockCard } from "../../../views/page/page-records.ts";
import { formatDuration, formatTime, plural } from "../../look/format.ts";
import { standingWords } from "../../look/standing.ts";

const mostCharacters = 19;

/** How long it has taken so far. */
export function durationOf(card: BlockCard, now: number): number {
  const since = card.running_since === undefined ? 0 : Math.max(0, now - Date.parse(card.running_since));
  return card.duration_ms + since;
}

/** What stands below a block's name: the one thing to know about it, in at most 19 characters. */
export function secondLine(card: BlockCard, now: number): string {
  return lineChoices(card, now)[0] ?? "";
}

/** The same, and what may take its place where there is less room. */
export function lineChoices(card: BlockCard, now: number): readonly string[] {
  const line = lineOf(card, now);
  const choices = [line];
  // What it cost, or which workflow it was, is left out before how long it took.
  if (card.standing === "done") choices.push(line.split(" · ")[0] ?? line);
  // Its sign and its outline say it, too.
  if (card.standing === "skipped") choices.push(line.replace(/^skipped: /u, ""));
  return choices.map(shorten);
}

/** The same of a block that nothing runs: what it is, or when and how often it will run. */
export function planLine(card: BlockCard): string {
  if (card.holds === "loop") return "once per element";
  if (card.condition !== undefined) return shorten(`only if ${briefly(card.condition)}`);
  if ((card.most_attempts ?? 1) > 1) return `up to ${card.most_attempts} times`;
  return shorten(card.workflow ?? card.type);
}

/** A condition without what can be left out where there is little room. */
function briefly(condition: string): string {
  const bare = /^\$\{([^{}]*)\}$/u.exec(condition.trim())?.[1] ?? condition;
  return bare
    .trim()
    .replaceAll(/\b(?:inputs|blocks)\.|\.outputs\b/gu, "")
    .replaceAll(/\.(failed|succeeded|skipped)\b/gu, " $1");
}

function lineOf(card: BlockCard, now: number): string {
  const { standing, message, inside } = card;
  const duration = formatDuration(durationOf(card, now));
  switch (standing) {
    case "running":
    case "asks":
    case "sleeping":
    case "interrupted":
      if (card.is_rolling_back === true) return "is rolled back";
      if (inside !== undefined) return progressOf(inside);
      if (standing === "asks") return "asks a person";
      if (standing === "sleeping")
        return card.wake_at === undefined ? "sleeps" : `until ${formatTime(card.wake_at, now)}`;
      if (standing === "interrupted") return "interrupted";
      return card.attempt > 1 ? `${duration} · ${triesOf(card)}` : duration;
    case "done":
      if (card.is_reused === true) return "reused";
      if (card.workflow !== undefined) return `${duration} · ${card.workflow}`;
      if (card.holds === "loop" && inside !== undefined) return `${duration} · ${progressOf(inside)}`;
      return card.spend === undefined ? duration : `${duration} · ${card.spend.text}`;
    case "failed":
    case "crashed":
      return inside === undefined ? (message ?? standingWords[standing]) : progressOf(inside);
    case "skipped":
      return message === undefined ? "skipped" : `skipped: ${skipReason(message)}`;
    default:
      return standingWords[standing];
  }
}

/** As much of a reason as is enough where there is little room: `sbom off`, `test failed`. */
function skipReason(message: string): string {
  const failed = /^'(.+)' failed, and is required\.?$/u.exec(message)?.[1];
  if (failed !== undefined) return `${failed} failed`;
  const condition = /^The condition is false: (.+)$/u.exec(message)?.[1];
  if (condition === undefined) return message;
  return /^[\w.-]+$/u.test(condition) ? `${condition.replace(/^.*\./u, "")} off` : condition;
}

function triesOf({ attempt, most_attempts }: BlockCard): string {
  return most_attempts === undefined ? `try ${attempt}` : `try ${attempt} of ${most_attempts}`;
}

function progressOf({ ended, total, counts }: NonNullable<BlockCard["inside"]>): string {
  const failed = (counts.failed ?? 0) + (counts.crashed ?? 0);
  return failed > 0 ? `${ended} of ${total} · ${failed} failed` : `${ended} of ${total}`;
}

function shorten(text: string): string {
  const characters = [...text.replace(/\s+/gu, " ")];
  return characters.length <= mostCharacters
    ? characters.join("")
    : `${characters
        .slice(0, mostCharacters - 1)
        .join("")
        .trimEnd()}…`;
}

/** All of it, for those who hear the page, and for those who point at it. */
export function describeBlock(card: BlockCard, now: number, isPlan = false): string {
  return [card.name, ...partsOf(card, now, isPlan)].join(", ");
}

/** The same for what shows some of it: that first, because people call what they see by it; the rest once. */
export function completeName(seen: string, card: BlockCard, now: number, isPlan = false): string {
  return [seen, ...partsOf(card, now, isPlan).filter((part) => !seen.includes(part))].join(", ");
}

function partsOf(card: BlockCard, now: number, isPlan: boolean): readonly string[] {
  const parts: string[] = [isPlan ? card.type : standingWords[card.standing]];
  const duration = durationOf(card, now);
  if (card.element !== undefined) parts.push(card.element);
  if (!isPlan && card.is_reused === true) parts.push("reused");
  else if (!isPlan && duration > 0) parts.push(formatDuration(duration));
  if (!isPlan && card.attempt > 1) parts.push(triesOf(card));
  if (isPlan && planLine(card) !== card.type) parts.push(planLine(card));
  if (!isPlan && card.standing === "sleeping" && card.wake_at !== undefined)
    parts.push(`until ${formatTime(card.wake_at, now)}`);
  if (card.holds !== "none") parts.push(holdsOf(card));
  if (card.question !== undefined) parts.push(card.question);
  else if (!isPlan && card.message !== undefined) parts.push(card.message);
  if (card.is_finally === true) parts.push("runs however the others end");
  return parts;
}

function holdsOf({ holds, inside }: BlockCard): string {
  if (inside === undefined) return holds === "loop" ? "a loop" : "holds blocks";
  const failed = (inside.counts.failed ?? 0) + (inside.counts.crashed ?? 0);
  const what = holds === "loop" ? plural(inside.total, "pass", "passes") : plural(inside.total, "block");
  return `holds ${what}${failed === 0 ? "" : `, ${failed} failed`}`;
}
