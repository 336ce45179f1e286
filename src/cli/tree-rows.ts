import { childNodes, type Node, shownStatus } from "../engine/node.ts";

/** How a row looks; more exact than a status, because a block that could not run is not one that failed at its work. */
export type RowKind = "ok" | "pending" | "skipped" | "running" | "paused" | "interrupted" | "failed" | "crashed";

export interface TreeRow {
  readonly node: Node;
  readonly kind: RowKind;
  readonly depth: number;
  readonly parent: TreeRow | undefined;
  /** Rows right below it that are still to be shown. */
  children: number;
}

/**
 * A node and everything inside it in the order in which a reader expects them: each below what holds it. What runs according to
 * the events of an interrupted run does so no longer.
 */
export function treeRows(top: Node, isInterrupted: boolean): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (node: Node, parent: TreeRow | undefined): void => {
    const depth = parent === undefined ? 0 : parent.depth + 1;
    const row: TreeRow = { node, kind: kindOf(node, isInterrupted), depth, parent, children: 0 };
    rows.push(row);
    if (parent !== undefined) parent.children++;
    for (const child of childNodes(node)) add(child, row);
  };
  add(top, undefined);
  return rows;
}

export function kindOf(node: Node, isInterrupted: boolean): RowKind {
  const status = shownStatus(node);
  if (status === "running" && isInterrupted) return "interrupted";
  if (status === "completed") return node.record.metadata.outcome === "success" ? "ok" : "failed";
  return status === "failed" ? "crashed" : status;
}

/** What a reader misses least goes first: what is done, then what has not begun. */
const leastMissed: readonly RowKind[] = [
  "ok",
  "pending",
  "skipped",
  "running",
  "paused",
  "interrupted",
  "failed",
  "crashed",
];

export interface ChosenRows {
  readonly shown: readonly TreeRow[];
  readonly hidden: ReadonlyMap<RowKind, number>;
}

/** The rows to show where only so many lines fit, one of which is needed to say what is hidden. The first row always stays. */
export function chooseRows(rows: readonly TreeRow[], lines: number): ChosenRows {
  const hidden = new Map<RowKind, number>();
  if (rows.length <= lines) return { shown: rows, hidden };
  const gone = new Set<TreeRow>();
  let tooMany = rows.length - Math.max(1, lines - 1);
  const hide = (candidates: readonly TreeRow[]): void => {
    for (const row of candidates) {
      if (tooMany === 0) return;
      // A row without the one it belongs to would seem to belong to another.
      if (row.children > 0 || row.parent === undefined || gone.has(row)) continue;
      gone.add(row);
      row.parent.children--;
      hidden.set(row.kind, (hidden.get(row.kind) ?? 0) + 1);
      tooMany--;
    }
  };
  for (const kind of leastMissed) {
    if (tooMany === 0) break;
    const candidates = rows.filter((row) => row.kind === kind);
    // Of what is done the oldest is missed least; of what is to come, the last.
    if (kind !== "ok") candidates.reverse();
    hide(deepestFirst(candidates));
  }
  if (tooMany > 0) hide(deepestFirst(rows.toReversed()));
  return { shown: rows.filter((row) => !gone.has(row)), hidden };
}

function deepestFirst(rows: readonly TreeRow[]): TreeRow[] {
  return rows.toSorted((a, b) => b.depth - a.depth);
}
