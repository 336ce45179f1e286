import type { BlockCard } from "../../../views/page/page-records.ts";
import { formatDuration, plural } from "../../look/format.ts";
import { writeTimes } from "../../look/sentence.tsx";
import { standingWords } from "../../look/standing.ts";

/** How long it has taken so far. */
export function durationOf(card: BlockCard, now: number): number {
  const since = card.running_since === undefined ? 0 : Math.max(0, now - Date.parse(card.running_since));
  return card.duration_ms + since;
}

/** What stands below a block's name: the one thing to know about it. */
export function lineOf(card: BlockCard, now: number): string {
  const { standing, message, says } = card;
  const usual = standing === "done" || standing === "running" ? "{}" : standingWords[standing];
  const line = says ?? (standing === "failed" || standing === "crashed" ? (message ?? usual) : usual);
  return writeTimes(line.replace("{}", formatDuration(durationOf(card, now))));
}

/** The same, and what may take its place where there is less room: what it cost, or which workflow it was, is left out first. */
export function lineChoices(card: BlockCard, now: number): readonly string[] {
  const line = lineOf(card, now);
  // That it was skipped, its sign and its outline say, too.
  return [line, line.replace(/^skipped: | · .*/gu, "")];
}

/** What stands beside its bars: how long it took, and the same. Of one that waits, how long its code took says nothing. */
export function noteOf(card: BlockCard, now: number): string {
  const { standing, spans } = card;
  const line = lineOf(card, now);
  const askedAt = standing === "asks" ? spans.at(-1)?.from : undefined;
  const ms = askedAt === undefined ? durationOf(card, now) : now - Date.parse(askedAt);
  const took = formatDuration(ms);
  if (standing === "to_come") return "";
  if (askedAt !== undefined) return `${line}, ${took}`;
  return ms === 0 || standing === "sleeping" || line.includes(took) || card.is_reused ? line : `${took}, ${line}`;
}

/** All of it, for those who hear the page, and for those who point at it. */
export function describeBlock(card: BlockCard, now: number): string {
  return completeName(card.name, card, now);
}

/** The same for what shows some of it: that first, because people call what they see by it; the rest once. */
export function completeName(seen: string, card: BlockCard, now: number, isPlan = false): string {
  const { holds, inside, attempt } = card;
  const parts = [
    isPlan ? card.type : standingWords[card.standing],
    card.element,
    ...(isPlan ? [card.about] : lineOf(card, now).split(" · ")),
    attempt > 1 && `try ${attempt}`,
    card.question ?? card.message,
    inside && `holds ${plural(inside.total, ...((holds === "loop" ? ["pass", "passes"] : ["block"]) as [string]))}`,
    card.is_finally && "runs however the others end",
  ];
  const shown = seen.slice(card.name.length);
  return parts
    .filter((part, index) => part && !shown.includes(String(part)) && parts.indexOf(part) === index)
    .reduce((said: string, part) => `${said}, ${part}`, seen);
}
