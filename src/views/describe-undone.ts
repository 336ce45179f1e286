import type { BlockDefinition } from "../definition/workflow-definition.ts";
import { childNodes, type RunNode } from "../engine/run-node.ts";
import type { RunState } from "../engine/state.ts";
import { isList, isMap, type Value } from "../expression/value.ts";
import { defined } from "../util/defined.ts";

/** What is told of a run that takes another one back, and of one that was taken back because it failed. */
export interface UndoData {
  readonly undo?: UndoneData;
  /** Of the run itself. */
  readonly rollback?: RollbackData;
  /** Of blocks in it that were taken back alone. */
  readonly rolled_back_blocks?: readonly (RollbackData & { readonly block: string })[];
}

export interface UndoneData {
  /** The run that it takes back. */
  readonly of: string;
  /** The part of it, where it is not all. */
  readonly block?: string;
  /** The block after whose end it began, where that is the part. */
  readonly to?: string;
  /** Paths that are as before again, by this run, or were so already. */
  readonly restored: number;
  readonly already?: number;
  readonly conflicts?: readonly ConflictData[];
  /** Blocks of that run whose `undo` ran to its end. */
  readonly ran?: readonly string[];
  /** What it did not come to, or was stopped at: so many paths at most are not as before, and the `undo` of these blocks has not ended. */
  readonly not_restored?: number;
  readonly not_run?: readonly string[];
}

export interface RollbackData {
  readonly state: "running" | "complete" | "partial";
  readonly undo_run?: string;
  readonly conflicts?: readonly ConflictData[];
}

/** What stayed as it is. */
export interface ConflictData {
  readonly path: string;
  readonly why: string;
}

export function describeUndone(state: RunState): UndoData {
  const { root, started, nodes } = state;
  const { undoOf } = started;
  const rolledBack = [...nodes.values()].flatMap((node) => {
    const data = node === root ? undefined : rollbackOf(node);
    return data === undefined ? [] : [{ block: node.path, ...data }];
  });
  return {
    ...(undoOf === undefined
      ? {}
      : { undo: { of: undoOf.runId, ...defined({ block: undoOf.path, to: undoOf.to }), ...sumUpSteps(state) } }),
    ...defined({ rollback: rollbackOf(root) }),
    ...(rolledBack.length === 0 ? {} : { rolled_back_blocks: rolledBack }),
  };
}

function rollbackOf({ record }: RunNode): RollbackData | undefined {
  const { rollback } = record.metadata;
  if (rollback === undefined || !isMap(rollback)) return undefined;
  const conflicts = conflictsIn(rollback.conflicts);
  return {
    state: rollback.state as RollbackData["state"],
    ...(typeof rollback.undo_run === "string" ? { undo_run: rollback.undo_run } : {}),
    ...(conflicts.length === 0 ? {} : { conflicts }),
  };
}

/** Whether something stayed that would be replaced by force. */
export function isForcible({ root }: RunState): boolean {
  return childNodes(root).some(({ record: { outputs } }) => {
    const { conflicts = null } = outputs;
    return isList(conflicts) && conflicts.some((one) => isMap(one) && one.forcible === true);
  });
}

function conflictsIn(value: Value | undefined): ConflictData[] {
  if (value === undefined || !isList(value)) return [];
  return value.flatMap((one) => {
    if (!isMap(one) || typeof one.path !== "string") return [];
    const why = one.why ?? one.reason;
    return [{ path: one.path, why: typeof why === "string" ? why : "changed since" }];
  });
}

type Sums = Omit<UndoneData, "of" | "block" | "to">;

/** Over the blocks of an undo plan, which run one after the other: those that restore say how many paths they have, others run an `undo`. */
function sumUpSteps({ root, cancelRequested }: RunState): Sums {
  const steps = childNodes(root);
  const lastBegun = steps.findLastIndex(({ record }) => record.metadata.attempts > 0);
  let [restored, already, notRestored] = [0, 0, 0];
  const conflicts: ConflictData[] = [];
  const [ran, notRun]: [string[], string[]] = [[], []];
  for (const [index, { block, record }] of steps.entries()) {
    const { outputs, metadata } = record;
    const isLeft = metadata.status === "failed" || (cancelRequested && index > lastBegun);
    const undone = block && undoneBy(block.definition);
    if (undone !== undefined) {
      if (isLeft) notRun.push(undone);
      else if (metadata.succeeded) ran.push(undone);
    } else if (block !== undefined && typeof outputs.restored === "number" && typeof outputs.already === "number") {
      if (isLeft) notRestored += countPaths(block.definition);
      restored += Math.max(0, outputs.restored);
      already += Math.max(0, outputs.already);
      conflicts.push(...conflictsIn(outputs.conflicts));
    }
  }
  return {
    restored,
    ...(already === 0 ? {} : { already }),
    ...(conflicts.length === 0 ? {} : { conflicts }),
    ...(ran.length === 0 ? {} : { ran }),
    ...(notRestored === 0 ? {} : { not_restored: notRestored }),
    ...(notRun.length === 0 ? {} : { not_run: notRun }),
  };
}

/** The block that a step of an undo plan runs the `undo` of; one with a condition of its own stands in a group. */
function undoneBy({ undoes, group }: BlockDefinition): string | undefined {
  return undoes?.block ?? group?.blocks.find((inner) => inner.undoes !== undefined)?.undoes?.block;
}

/** All that it lists. What did not begin has no inputs but those that are written. */
function countPaths({ inputs }: BlockDefinition): number {
  const lists = [...inputs.values()].map(({ value }) => ("items" in value ? (value.items?.length ?? 0) : 0));
  return lists.reduce((sum, count) => sum + count, 0);
}
