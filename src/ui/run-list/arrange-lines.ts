import type { PageStanding, RunLine } from "../../views/page/page-records.ts";
import { groupBy } from "../look/group-by.ts";
import { dayStart } from "./filters.ts";

/** A line of the list as it is seen: the name of a section, or a run. */
export type Item =
  | { readonly kind: "section"; readonly key: string; readonly name: string; readonly count: string }
  | { readonly kind: "run"; readonly key: string };

const needing: readonly PageStanding[] = ["asks", "interrupted"];
const going: readonly PageStanding[] = ["running", "sleeping", "to_come"];

/** Those that need somebody, those that run, and the rest by the day on which they began, newest first. */
export function arrangeLines(lines: Iterable<RunLine>, now: number): readonly Item[] {
  const newestFirst = [...lines].sort(
    (one, other) => compare(other.started_at, one.started_at) || compare(other.run_id, one.run_id),
  );
  // These two stand first, whenever their runs began.
  const sections = new Map<string, RunLine[]>([
    ["Needs somebody", []],
    ["Running", []],
    ...groupBy(newestFirst, namer(now)),
  ]);
  // Who is waited for comes before what only stopped.
  sections.get("Needs somebody")?.sort((one, other) => needing.indexOf(one.standing) - needing.indexOf(other.standing));
  return [...sections].flatMap(([name, held]): Item[] =>
    held.length === 0
      ? []
      : [
          { kind: "section", key: `section ${name}`, name, count: held.length.toLocaleString("en-GB") },
          ...held.map(({ run_id }): Item => ({ kind: "run", key: run_id })),
        ],
  );
}

/** Times in ISO 8601 follow each other as texts do. */
function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** Names sections. What days there are is found out once: there may be ten thousand lines. */
function namer(now: number): (line: RunLine) => string {
  const days = Array.from({ length: 7 }, (_, daysBefore) => {
    const start = dayStart(now, daysBefore);
    const weekday = new Date(start).toLocaleDateString("en-GB", { weekday: "long" });
    return { start: new Date(start).toISOString(), name: ["Today", "Yesterday"][daysBefore] ?? weekday };
  });
  return ({ standing, started_at }) => {
    if (needing.includes(standing)) return "Needs somebody";
    if (going.includes(standing)) return "Running";
    return days.find(({ start }) => started_at >= start)?.name ?? "Earlier";
  };
}

/**
 * While somebody reads, nothing moves: what they see keeps its order, and what is gone keeps its place. Gives beside it how many runs
 * would be elsewhere.
 */
export function holdOrder(shown: readonly Item[], next: readonly Item[]): { items: readonly Item[]; waiting: number } {
  const known = new Set(shown.map(({ key }) => key));
  const isAddedBelow = shown.every(({ key }, index) => key === next[index]?.key);
  // More that came after the end, as when older runs are loaded, moves nothing.
  if (isAddedBelow) return { items: next, waiting: 0 };
  const end = shown.findLast(({ kind }) => kind === "run")?.key;
  const at = next.findIndex(({ key }) => key === end);
  const below = at === -1 ? [] : next.slice(at + 1).filter(({ key }) => !known.has(key));
  const held = [...shown, ...below];
  const before = new Map(held.map(({ key }, index) => [key, index]));
  let last = -1;
  let waiting = 0;
  for (const { kind, key } of next) {
    if (kind === "section") continue;
    const index = before.get(key);
    if (index === undefined || index < last) waiting++;
    else last = index;
  }
  return { items: held, waiting };
}
