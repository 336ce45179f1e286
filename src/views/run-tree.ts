import { formatUsd, type Spend } from "../block/spend.ts";
import { nameElement } from "../engine/name-element.ts";
import { isUnderFinally, questionOf, type RunNode } from "../engine/run-node.ts";
import type { RunState } from "../engine/state.ts";
import { defined } from "../util/defined.ts";
import { chooseRows } from "./choose-rows.ts";
import { isReused, listRows, type Row } from "./tree-rows.ts";
import { wordCost } from "./word-spend.ts";

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
  /** Of the run itself. */
  readonly run_id?: string;
  /** Of a pass of a loop. */
  readonly pass?: PassData;
  /** It runs when everything else has ended. */
  readonly is_finally?: true;
  /** How many rows stand around it. */
  readonly depth: number;
  readonly status: BlockStatus;
  /** When it began; of what runs: its latest attempt. */
  readonly started_at: string | null;
  /**
   * For how long its latest attempt has run, without the time in which it waited for an answer or a time; of the run and of what holds
   * blocks: from its beginning to its end.
   */
  readonly duration_ms: number;
  /** Of what runs: since when it has, beyond that. */
  readonly running_since?: string;
  readonly attempts: number;
  /** Its result is that of the run which this one repeats. */
  readonly reused?: true;
  /** Why it failed or was skipped; null also where a row inside it says so. */
  readonly message: string | null;
  /** When it goes on. */
  readonly wake_at?: string;
  /** What it asks. */
  readonly question?: string;
  /** Why it is being ended early. */
  readonly stopping?: string;
  /** It has failed, and what it did is being taken back. */
  readonly is_rolling_back?: true;
  /** What it has cost so far, for people. */
  readonly spend?: string;
  /** Of what has a budget: what it may cost, for people. */
  readonly budget?: string;
  /** How much of what is inside it has ended; absent where nothing is. */
  readonly progress?: ProgressData;
  /** Of a loop: how its passes stand, those that have no row of their own included. */
  readonly passes?: PassCounts;
  /** Of a loop: its block is repeated, so that nobody knows before how many passes there will be. */
  readonly is_repeated?: true;
  /** It has gone well, and what is inside it has no rows, because there was no room. */
  readonly is_folded?: true;
}

export type PassCounts = Readonly<Partial<Record<BlockStatus, number>>>;

export interface PassData {
  /** Whether its key is only its number. */
  readonly is_numbered: boolean;
  /** Its element in a few words, where its key is a number. */
  readonly element?: string;
  /** Whether that is a number itself, or true or false. */
  readonly is_bare?: true;
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
  const explained = new Set(shown.flatMap((row) => (row.parent !== undefined && explains(row) ? [row.parent] : [])));
  return { rows: shown.map((row) => describeRow(row, state, explained.has(row))), hidden };
}

/** Whether the row around it would only say again what it says itself. */
function explains({ node, parent }: Row): boolean {
  const { failed, message } = node.record.metadata;
  return failed && message !== null && parent?.node.record.metadata.message?.includes(message) === true;
}

function describeRow(row: Row, state: RunState, isExplained: boolean): TreeRow {
  const { node, status, depth, passes, isFolded } = row;
  const { stage } = node;
  const { metadata } = node.record;
  const asked = questionOf(node);
  const progress = describeProgress(node);
  return {
    path: node.path,
    ...(node.parent === undefined ? { name: state.started.workflow, run_id: state.started.runId } : { name: node.key }),
    ...(node.element === undefined ? {} : { pass: describePass(node.element) }),
    ...(isUnderFinally(node) ? { is_finally: true } : {}),
    depth,
    status,
    started_at: (node.ended ? undefined : node.attemptAt) ?? metadata.started_at,
    duration_ms: isReused(node) ? metadata.execution_time_ms : node.attemptMs,
    ...defined({ running_since: status === "running" ? runningSince(node) : undefined }),
    attempts: metadata.attempts,
    ...(isReused(node) ? { reused: true } : {}),
    message: describeReason(node, isExplained),
    ...defined({
      wake_at: stage.kind === "sleeping" ? stage.until : undefined,
      question: asked?.question.text,
      stopping: node.cancelling?.message,
      progress,
      passes,
      spend: wordCost(metadata.spend as Spend | undefined),
      budget: describeBudget(node),
    }),
    ...(node.rollback === undefined ? {} : { is_rolling_back: true }),
    ...(passes !== undefined && node.block?.definition.repeat !== undefined ? { is_repeated: true } : {}),
    ...(isFolded ? { is_folded: true } : {}),
  };
}

/** Of what holds blocks the time goes on while it waits, as it does for who waits for it. */
export function runningSince({ inside, runningSince: since, attemptAt, record }: RunNode): string | undefined {
  return inside.kind === "leaf" ? since : (attemptAt ?? record.metadata.started_at ?? undefined);
}

/** Of what is to be tried again: how it ended before. */
export function describeReason({ stage, earlier, record }: RunNode, isExplained: boolean): string | null {
  if (stage.kind === "sleeping" && stage.about === "retry") return earlier.at(-1)?.ending.message ?? null;
  return isExplained ? null : record.metadata.message;
}

function describePass(element: NonNullable<RunNode["element"]>): PassData {
  const { key, value } = element;
  const name = nameElement(element);
  const isBare = name !== undefined && (typeof value === "number" || typeof value === "boolean");
  return {
    is_numbered: typeof key === "number",
    ...defined({ element: name }),
    ...(isBare ? { is_bare: true } : {}),
  };
}

/** The limit of money; the others are told where something exceeds them. */
function describeBudget({ budget }: RunNode): string | undefined {
  const most = budget?.limits.get("usd")?.most;
  return most === undefined ? undefined : formatUsd(most);
}

function describeProgress({ inside }: RunNode): ProgressData | undefined {
  if (inside.kind === "leaf") return undefined;
  return inside.kind === "loop"
    ? { ended: inside.endedPasses, total: inside.passes.length }
    : { ended: inside.completions, total: inside.children.length };
}
