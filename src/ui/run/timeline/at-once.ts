import type { BlockCard } from "../../../views/page/page-records.ts";
import type { Axis } from "./axis.ts";
import { endOf, startOf } from "./rows.ts";

/** How many of some blocks ran at once, in each of so many parts of the axis, and where some failed. */
export function countAtOnce(
  blocks: readonly BlockCard[],
  axis: Axis,
  now: number,
  parts: number,
): { readonly counts: readonly number[]; readonly failures: readonly number[] } {
  const changes = new Array<number>(parts + 1).fill(0);
  const failures: number[] = [];
  for (const { spans, standing } of blocks) {
    for (const span of spans) {
      if (span.kind !== "ran" && span.kind !== "failed") continue;
      const from = Math.min(parts - 1, Math.floor(axis.at(startOf(span)) * parts));
      const end = axis.at(endOf(span, now));
      const to = Math.max(from + 1, Math.ceil(end * parts));
      changes[from] = (changes[from] ?? 0) + 1;
      changes[to] = (changes[to] ?? 0) - 1;
      const isLast = span === spans.at(-1);
      if (isLast && (standing === "failed" || standing === "crashed")) failures.push(end);
    }
  }
  let count = 0;
  return {
    counts: changes.slice(0, parts).map((change) => {
      count += change;
      return count;
    }),
    failures,
  };
}
