import type { BlockCard } from "./page-records.ts";
import { countOf, sayDuration } from "./say-words.ts";

/**
 * The one thing to know about a block beside its name, in a few words; `{}` in it is how long it has taken, which the page counts. Nothing where
 * that alone, its reason or how it stands is to be told.
 */
export function sayCard(card: BlockCard): string | undefined {
  const { standing, inside } = card;
  switch (standing) {
    case "running":
    case "asks":
    case "sleeping":
    case "interrupted":
      if (card.is_rolling_back === true) return "is rolled back";
      if (inside !== undefined) return sayProgress(inside);
      if (standing === "asks") return "asks a person";
      if (standing === "sleeping") return card.wake_at === undefined ? "sleeps" : `until <${card.wake_at}>`;
      return standing === "running" ? sayRunning(card) : undefined;
    case "done":
      if (card.is_reused === true) return "reused";
      return sayTaken(card.workflow ?? (card.holds === "loop" && inside ? sayProgress(inside) : card.spend?.text));
    case "failed":
    case "crashed":
      return inside === undefined ? undefined : sayProgress(inside);
    case "skipped":
      return card.message === undefined ? undefined : `skipped: ${skipReason(card.message)}`;
    default:
      return undefined;
  }
}

function sayTaken(more: string | undefined): string | undefined {
  return more === undefined || more === "" ? undefined : `{} · ${more}`;
}

function sayRunning({ attempt, most_attempts: most, spans }: BlockCard): string | undefined {
  const tries = attempt < 2 ? [] : [most === undefined ? `try ${attempt}` : `try ${attempt} of ${most}`];
  const slot = spans.find(({ kind }) => kind === "slot");
  const waited =
    slot?.to == null ? [] : [`after ${sayDuration(Date.parse(slot.to) - Date.parse(slot.from))} for a free slot`];
  return sayTaken([...tries, ...waited].join(" · "));
}

function sayProgress({ ended, total, counts }: NonNullable<BlockCard["inside"]>): string {
  const failed = (counts.failed ?? 0) + (counts.crashed ?? 0);
  return failed > 0 ? `${ended} of ${total} · ${failed} failed` : `${ended} of ${total}`;
}

/** As much of a reason as is enough where there is little room: `sbom off`, `test failed`. */
function skipReason(message: string): string {
  const failed = /^'(.+)' failed, and is required\.?$/u.exec(message)?.[1];
  if (failed !== undefined) return `${failed} failed`;
  const condition = /^The condition is false: (.+)$/u.exec(message)?.[1];
  if (condition === undefined) return message;
  return /^[\w.-]+$/u.test(condition) ? `${condition.replace(/^.*\./u, "")} off` : condition;
}

/** The same of a block that nothing runs: what it is, or when and how often it will run. */
export function sayPlanned(card: BlockCard): string {
  if (card.holds === "loop") return "once per element";
  if (card.condition !== undefined) return `only if ${briefly(card.condition)}`;
  if ((card.most_attempts ?? 1) > 1) return `up to ${card.most_attempts} times`;
  return card.workflow ?? card.type;
}

/** A condition without what can be left out where there is little room. */
function briefly(condition: string): string {
  const bare = /^\$\{([^{}]*)\}$/u.exec(condition.trim())?.[1] ?? condition;
  return bare
    .trim()
    .replaceAll(/\b(?:inputs|blocks)\.|\.outputs\b/gu, "")
    .replaceAll(/\.(failed|succeeded|skipped)\b/gu, " $1");
}

/** All that is known of a block before it runs. */
export function tellPlanned(card: BlockCard): string {
  const { type, workflow, condition, for_each, repeat, most_attempts, asks, blocks_inside } = card;
  return [
    workflow === undefined ? type : `calls ${workflow}`,
    ...(blocks_inside === undefined ? [] : [`${countOf(blocks_inside, "block")} inside`]),
    ...(asks === undefined ? [] : ["asks somebody"]),
    ...(for_each === undefined ? [] : [`once for each of ${for_each}`]),
    ...(repeat === undefined ? [] : [`repeated up to ${repeat} times`]),
    ...(most_attempts === undefined || most_attempts < 2 ? [] : [`tried up to ${most_attempts} times`]),
    ...(condition === undefined ? [] : [`only if ${condition}`]),
    ...(card.is_finally === undefined ? [] : ["however the others end"]),
    ...(card.allows_failure === undefined ? [] : ["may fail"]),
  ].join(" · ");
}
