import type { RunFinished, RunStarted } from "../engine/events.ts";
import type { Value, ValueMap } from "../expression/value.ts";

/** In characters: what stands in one column of a list. */
const longest = 80;
/** Enough to find as much as is shown in nearly any text, however long that is. */
const longestRead = 1_000;

/** What tells a run from others of its workflow: its first given input that is short; of an undo of a part: which part. */
export function labelOf({ inputs, defaulted = [], undoOf }: RunStarted): string | null {
  if (undoOf?.forRerun === true) return "for a rerun";
  if (undoOf?.path !== undefined) return inWords(`only ${undoOf.path}`);
  if (undoOf?.to !== undefined) return inWords(`back to ${undoOf.to}`);
  const given = Object.entries(inputs).filter(([name]) => !defaulted.includes(name));
  return firstShort(Object.fromEntries(given), (name, value) =>
    typeof value === "string" ? value : `${name} ${value}`,
  );
}

/** How a run has gone well: what failed and was dealt with, else its first output that is short. */
export function resultOf({ outputs, remarks }: RunFinished): string | null {
  const [handled, ...others] = remarks?.handledFailures ?? [];
  if (handled !== undefined) {
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    return inWords(`${handled.block}${more} failed, handled`);
  }
  return firstShort(outputs, (name, value) => `${name}: ${value}`);
}

function firstShort(values: ValueMap, word: (name: string, value: string | number) => string): string | null {
  let cut: string | null = null;
  for (const [name, value] of Object.entries(values ?? {})) {
    if (!isTelling(value)) continue;
    const text = inWords(word(name, value));
    if (!text.endsWith("…")) return text;
    cut ??= text;
  }
  return cut;
}

/** True and false tell little, and a secret is only named. */
function isTelling(value: Value): value is string | number {
  if (typeof value === "number") return true;
  return typeof value === "string" && value.trim() !== "" && !value.includes("${secrets.");
}

/** In one line. */
function inWords(text: string): string {
  const line = text
    .slice(0, longestRead)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return line.length <= longest ? line : `${line.slice(0, longest).replace(/[\ud800-\udbff]$/, "")}…`;
}
