import type { Status, StopCause } from "../engine/execution.ts";
import { stopCauseOf } from "../engine/judge.ts";
import { childNodes, isUnderFinally, questionOf, type RunNode } from "../engine/run-node.ts";
import type { RunState } from "../engine/state.ts";
import { defined } from "../util/defined.ts";

/** One word for a block; more exact than that of a run, because a block that could not run is not one that failed at its work. */
export type BlockStatus =
  | "success"
  | "pending"
  | "skipped"
  | "running"
  | "paused"
  | "sleeping"
  | "interrupted"
  | "failure"
  | "timeout"
  | "cancelled"
  | "crashed";

/** A run, a block or a pass of a loop, as a line of a tree. */
export interface TreeRow {
  /** Address from the root; empty for the run itself. */
  readonly path: string;
  /** Of the run its workflow's, of a block its id, of a pass the key of its element. */
  readonly name: string;
  /** Of a pass of a loop. */
  readonly pass?: PassData;
  /** It runs when everything else has ended. */
  readonly is_finally?: true;
  /** How many rows stand around it. */
  readonly depth: number;
  readonly status: BlockStatus;
  /** Of what runs: when its latest attempt began. */
  readonly started_at: string | null;
  readonly duration_ms: number;
  readonly attempts: number;
  /** Its result is that of the run which this one repeats. */
  readonly reused?: true;
  /** Why it failed or was skipped. */
  readonly message: string | null;
  /** When it goes on. */
  readonly wake_at?: string;
  /** What it asks. */
  readonly question?: string;
  /** Why it is being ended early. */
  readonly stopping?: string;
  /** How much of what is inside it has ended; absent where nothing is. */
  readonly progress?: ProgressData;
}

export interface PassData {
  /** Whether its key is only its number. */
  readonly is_numbered: boolean;
  /** Its element, when that is a text. */
  readonly element?: string;
}

export interface ProgressData {
  readonly ended: number;
  readonly total: number;
}

/** Each row stands below what holds it. */
export interface RunTree {
  readonly rows: readonly TreeRow[];
  /** Those for which there was no room, counted by status. */
  readonly hidden: HiddenRows;
}

/** What succeeded in the run that is repeated counts for itself. */
export type HiddenRows = Readonly<Partial<Record<BlockStatus | "reused", number>>>;

export interface TreeOptions {
  /** Lines there is room for, one of which is needed to say what is hidden. The first row always stays. */
  readonly lines: number;
  /** What runs according to the events of an interrupted run does so no longer. */
  readonly isInterrupted: boolean;
}

/** Only what is shown is described: a run may have many thousands of blocks, and is looked at many times a second. */
export function describeTree(state: RunState, options: TreeOptions, top: RunNode = state.root): RunTree {
  const { shown, hidden } = chooseRows(listRows(top, options.isInterrupted), options.lines);
  return { rows: shown.map((row) => describeRow(row, state)), hidden };
}

interface Row {
  readonly node: RunNode;
  status: BlockStatus;
  readonly depth: number;
  readonly parent: Row | undefined;
  /** Rows right below it that are still to be shown. */
  children: number;
  isHidden: boolean;
}

function listRows(top: RunNode, isInterrupted: boolean): Row[] {
  const rows: Row[] = [];
  // What holds blocks stands as they do, so each is looked at once, after those inside it.
  const add = (node: RunNode, parent: Row | undefined): Standing => {
    // What is reused whole is one thing, unless it is what is looked at.
    const children = isReused(node) && parent !== undefined ? [] : childNodes(node);
    const depth = parent === undefined ? 0 : parent.depth + 1;
    const row: Row = { node, status: "pending", depth, parent, children: children.length, isHidden: false };
    rows.push(row);
    const inside = new Set(children.map((child) => add(child, row)));
    const own = node.stage.kind === "sleeping" ? "sleeping" : node.record.metadata.status;
    const rests = own === "running" && !inside.has("running");
    // Nobody wakes what sleeps in a run that is interrupted, unless somebody goes on with it.
    const isAsleep = rests && inside.has("sleeping") && !(isInterrupted && node.parent === undefined);
    const status = rests && inside.has("paused") ? "paused" : isAsleep ? "sleeping" : own;
    row.status = wordFor(node, status, isInterrupted);
    return status;
  };
  add(top, undefined);
  return rows;
}

function isReused({ record }: RunNode): boolean {
  return record.metadata.reused === true;
}

type Standing = Status | "sleeping";

function wordFor(node: RunNode, status: Standing, isInterrupted: boolean): BlockStatus {
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
  interrupted: "interrupted",
  crash: "crashed",
};

function describeRow({ node, status, depth }: Row, state: RunState): TreeRow {
  const { stage } = node;
  const { metadata } = node.record;
  const asked = questionOf(node);
  const progress = describeProgress(node);
  return {
    path: node.path,
    name: node.parent === undefined ? state.started.workflow : node.key,
    ...(node.element === undefined ? {} : { pass: describePass(node.element) }),
    ...(isUnderFinally(node) ? { is_finally: true } : {}),
    depth,
    status,
    started_at: (node.ended ? undefined : node.attemptAt) ?? metadata.started_at,
    duration_ms: metadata.execution_time_ms,
    attempts: metadata.attempts,
    ...(isReused(node) ? { reused: true } : {}),
    message: stage.kind === "sleeping" && stage.about === "retry" ? lastEnding(node) : metadata.message,
    ...defined({
      wake_at: stage.kind === "sleeping" ? stage.until : undefined,
      question: asked?.question.text,
      stopping: node.cancelling?.message,
      progress,
    }),
  };
}

/** Of what is to be tried again: how it ended before. */
function lastEnding({ earlier }: RunNode): string | null {
  return earlier.at(-1)?.ending.message ?? null;
}

function describePass({ key, value }: NonNullable<RunNode["element"]>): PassData {
  return { is_numbered: typeof key === "number", ...(typeof value === "string" ? { element: value } : {}) };
}

function describeProgress({ inside }: RunNode): ProgressData | undefined {
  if (inside.kind === "leaf") return undefined;
  return inside.kind === "loop"
    ? { ended: inside.endedPasses, total: inside.passes.length }
    : { ended: inside.completions, total: inside.children.length };
}

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

interface ChosenRows {
  readonly shown: readonly Row[];
  readonly hidden: HiddenRows;
}

function chooseRows(rows: readonly Row[], lines: number): ChosenRows {
  const hidden: { -readonly [word in keyof HiddenRows]: number } = {};
  if (rows.length <= lines) return { shown: rows, hidden };
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
