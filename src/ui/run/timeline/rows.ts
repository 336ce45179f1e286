import type { BlockCard, Level, PageEdge, Span } from "../../../views/page/page-records.ts";
import type { Stretch } from "./axis.ts";

/** By start; what has none stands below, as in the file. */
export function rowsByStart(blocks: readonly BlockCard[]): readonly BlockCard[] {
  const beginOf = (card: BlockCard): number => {
    const at = card.spans[0]?.from ?? card.started_at;
    return at === null || at === undefined
      ? card.standing === "skipped"
        ? Number.MAX_VALUE / 2
        : Number.MAX_VALUE
      : Date.parse(at);
  };
  return blocks
    .map((card, index) => ({ card, index, start: beginOf(card) }))
    .sort((one, other) => one.start - other.start || one.index - other.index)
    .map(({ card }) => card);
}

/** Times are read once for each span: of two thousand blocks, few change at a time. */
const read = new WeakMap<Span, { readonly from: number; readonly to: number | undefined }>();

function timesOf(span: Span): { readonly from: number; readonly to: number | undefined } {
  const before = read.get(span);
  if (before !== undefined) return before;
  const times = { from: Date.parse(span.from), to: span.to === null ? undefined : Date.parse(span.to) };
  read.set(span, times);
  return times;
}

export function startOf(span: Span): number {
  return timesOf(span).from;
}

export function endOf(span: Span, now: number): number {
  return timesOf(span).to ?? now;
}

/** When blocks ran: waiting for a person, a time or the next attempt is idle. */
export function busyStretches(blocks: readonly BlockCard[], now: number): readonly Stretch[] {
  return blocks.flatMap(({ spans }) =>
    spans
      .filter(({ kind }) => kind === "ran" || kind === "failed")
      .map((span) => ({ from: startOf(span), to: endOf(span, now) })),
  );
}

/** From the first that began to the end of the last, or to now. */
export function spanOfLevel({ blocks, head, of }: Level, now: number): Stretch & { readonly isOver: boolean } {
  let from = Number.MAX_VALUE;
  let to = 0;
  let isOver = (of?.running_since ?? null) === null && (of !== undefined || head.finished_at !== null);
  for (const { spans } of blocks) {
    for (const span of spans) {
      from = Math.min(from, startOf(span));
      to = Math.max(to, endOf(span, now));
      if (span.to === null) isOver = false;
    }
  }
  if (to === 0) {
    from = Date.parse(of?.started_at ?? head.started_at);
    to = from + 1000;
  }
  return { from, to: isOver ? to : Math.max(now, to), isOver };
}

/** Lines that lead the critical path from a row to the next: at the end of one block, down to the row of the other. */
export function criticalLinks(
  rows: readonly BlockCard[],
  edges: readonly PageEdge[],
): readonly { readonly from: number; readonly to: number; readonly at: number }[] {
  const index = new Map(rows.map(({ address }, row) => [address, row]));
  return edges.flatMap(({ from, to, is_critical }) => {
    const [upper, lower] = [index.get(from), index.get(to)];
    if (is_critical !== true || upper === undefined || lower === undefined) return [];
    const start = rows[lower]?.spans[0]?.from;
    const end = rows[upper]?.spans.at(-1)?.to;
    return start === undefined || end === undefined || end === null
      ? []
      : [{ from: upper, to: lower, at: Date.parse(start) }];
  });
}
