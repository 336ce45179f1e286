import type { Status, StopCause } from "../engine/execution.ts";
import { stopCauseOf } from "../engine/judge.ts";
import { childNodes, type RunNode } from "../engine/run-node.ts";
import type { BlockStatus, PassCounts } from "./run-tree.ts";

/** What may become a line of the tree. */
export interface Row {
  readonly node: RunNode;
  status: BlockStatus;
  readonly depth: number;
  readonly parent: Row | undefined;
  /** Rows right below it that are still to be shown. */
  children: number;
  isHidden: boolean;
  /** What is inside it is not shown, because its own row tells enough. */
  isFolded: boolean;
  /** Of a loop: how its passes stand. */
  readonly passes?: PassCounts;
}

/**
 * A row for everything in a run, or in one block of it. Of a loop, unless it is what is looked at, only those passes have rows that go on
 * or did not end well: the rest is counted.
 */
export function listRows(top: RunNode, isInterrupted: boolean): Row[] {
  const rows: Row[] = [];
  // What holds blocks stands as they do, so each is looked at once, after those inside it.
  const add = (node: RunNode, parent: Row | undefined): Standing => {
    // What is reused whole is one thing, unless it is what is looked at.
    const children = isReused(node) && parent !== undefined ? [] : childNodes(node);
    const depth = parent === undefined ? 0 : parent.depth + 1;
    const isLoop = node.inside.kind === "loop";
    const passes: { -readonly [status in BlockStatus]?: number } = {};
    const row: Row = {
      node,
      status: "pending",
      depth,
      parent,
      children: 0,
      isHidden: false,
      isFolded: false,
      ...(isLoop ? { passes } : {}),
    };
    rows.push(row);
    const first = rows.length;
    const inside = new Set<Standing>();
    for (const child of children) {
      const at = rows.length;
      inside.add(add(child, row));
      const { status } = rows[at] as Row;
      row.children++;
      if (!isLoop) continue;
      passes[status] = (passes[status] ?? 0) + 1;
      if (parent !== undefined && isUneventful(status)) {
        rows.length = at;
        row.children--;
      }
    }
    const status = standsAs(node, inside, isInterrupted);
    row.status = wordFor(node, status, isInterrupted);
    // A block that is repeated until a condition holds may succeed although passes failed.
    if (isLoop && parent !== undefined && row.status === "success") {
      rows.length = first;
      row.children = 0;
    }
    return status;
  };
  add(top, undefined);
  return rows;
}

export function isReused({ record }: RunNode): boolean {
  return record.metadata.reused === true;
}

/** Nobody has to look at it: it went well, or has not begun. */
function isUneventful(status: BlockStatus): boolean {
  return status === "success" || status === "pending" || status === "skipped";
}

export type Standing = Status | "sleeping";

/** How a node stands, where those inside it stand so. */
export function standsAs(node: RunNode, inside: ReadonlySet<Standing>, isInterrupted: boolean): Standing {
  const own = node.stage.kind === "sleeping" ? "sleeping" : node.record.metadata.status;
  const rests = own === "running" && !inside.has("running");
  // Nobody wakes what sleeps in a run that is interrupted, unless somebody goes on with it.
  const isAsleep = rests && inside.has("sleeping") && !(isInterrupted && node.parent === undefined);
  return rests && inside.has("paused") ? "paused" : isAsleep ? "sleeping" : own;
}

export function wordFor(node: RunNode, status: Standing, isInterrupted: boolean): BlockStatus {
  const isLost = isInterrupted || node.stage.kind === "interrupted";
  if (status === "running" && isLost) return "interrupted";
  if (status === "completed") return node.record.metadata.outcome === "success" ? "success" : "failure";
  if (status !== "failed") return status;
  return wordsOfCauses[stopCauseOf(node) ?? "crash"];
}

const wordsOfCauses: Readonly<Record<StopCause | "crash", BlockStatus>> = {
  timeout: "timeout",
  cancelled: "cancelled",
  limit: "cancelled",
  budget: "cancelled",
  interrupted: "interrupted",
  crash: "crashed",
};
