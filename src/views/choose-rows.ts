import type { BlockStatus, HiddenRows } from "./run-tree.ts";
import { isReused, type Row } from "./tree-rows.ts";

/** What a reader misses least goes first: what was done before, what is done, then what has not begun. */
const leastMissed: readonly BlockStatus[] = [
  "success",
  "pending",
  "skipped",
  "running",
  "sleeping",
  "paused",
  "interrupted",
  "failure",
  "crashed",
  "timeout",
  "cancelled",
];

export interface ChosenRows {
  readonly shown: readonly Row[];
  readonly hidden: HiddenRows;
}

/** Not more than so many lines, one of which says what is hidden. What has gone well is folded first, each into one row. */
export function chooseRows(rows: readonly Row[], lines: number): ChosenRows {
  if (rows.length <= lines) return { shown: rows, hidden: {} };
  const left = foldFinished(rows, lines);
  if (left.length <= lines) return { shown: left, hidden: {} };
  return hideRows(left, lines);
}

/** The oldest first, and no more of them than necessary: what was folded once stays so while the run goes on. */
function foldFinished(rows: readonly Row[], lines: number): readonly Row[] {
  let tooMany = rows.length - lines;
  const left: Row[] = [];
  for (let at = 0; at < rows.length; ) {
    const row = rows[at] as Row;
    left.push(row);
    let end = at + 1;
    if (tooMany > 0 && row.parent !== undefined && row.status === "success" && row.children > 0) {
      while ((rows[end]?.depth ?? 0) > row.depth) end++;
      if (rows.slice(at + 1, end).every(({ status }) => status === "success" || status === "skipped")) {
        row.isFolded = true;
        row.children = 0;
        tooMany -= end - at - 1;
      } else end = at + 1;
    }
    at = end;
  }
  return left;
}

function hideRows(rows: readonly Row[], lines: number): ChosenRows {
  const hidden: { -readonly [word in keyof HiddenRows]: number } = {};
  let tooMany = rows.length - Math.max(1, lines - 1);
  const hide = (candidates: readonly Row[]): void => {
    for (const row of candidates) {
      if (tooMany === 0) return;
      // A row without the one it belongs to would seem to belong to another.
      if (row.children > 0 || row.parent === undefined || row.isHidden) continue;
      row.isHidden = true;
      row.parent.children--;
      const word = wasDoneBefore(row) ? "reused" : row.status;
      hidden[word] = (hidden[word] ?? 0) + 1;
      tooMany--;
    }
  };
  hide(deepestFirst(rows.filter(wasDoneBefore)));
  const byStatus = groupRows(rows);
  for (const status of leastMissed) {
    if (tooMany === 0) break;
    const candidates = byStatus[status];
    // Of what is done the oldest is missed least; of what is to come, the last.
    if (status !== "success") candidates.reverse();
    hide(deepestFirst(candidates));
  }
  if (tooMany > 0) hide(deepestFirst(rows.toReversed()));
  return { shown: rows.filter((row) => !row.isHidden), hidden };
}

function wasDoneBefore({ node, status }: Row): boolean {
  return status === "success" && isReused(node);
}

function groupRows(rows: readonly Row[]): Readonly<Record<BlockStatus, Row[]>> {
  const groups: Record<BlockStatus, Row[]> = {
    success: [],
    pending: [],
    skipped: [],
    running: [],
    paused: [],
    sleeping: [],
    interrupted: [],
    failure: [],
    crashed: [],
    timeout: [],
    cancelled: [],
  };
  for (const row of rows) groups[row.status].push(row);
  return groups;
}

function deepestFirst(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => b.depth - a.depth);
}
