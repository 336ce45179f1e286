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

export function describeUndone({ root, started, nodes }: RunState): UndoData {
  const { undoOf } = started;
  const rolledBack = [...nodes.values()].flatMap((node) => {
    const data = node === root ? undefined : rollbackOf(node);
    return data === undefined ? [] : [{ block: node.path, ...data }];
  });
  return {
    ...(undoOf === undefined
      ? {}
      : { undo: { of: undoOf.runId, ...defined({ block: undoOf.path, to: undoOf.to }), ...sumUp(root) } }),
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

/** Over the blocks that restore files: those that say how many they have. */
function sumUp(root: RunNode): Pick<UndoneData, "restored" | "already" | "conflicts"> {
  let [restored, already] = [0, 0];
  const conflicts: ConflictData[] = [];
  for (const { record } of childNodes(root)) {
    const { outputs } = record;
    if (typeof outputs.restored !== "number" || typeof outputs.already !== "number") continue;
    restored += Math.max(0, outputs.restored);
    already += Math.max(0, outputs.already);
    conflicts.push(...conflictsIn(outputs.conflicts));
  }
  return { restored, ...(already === 0 ? {} : { already }), ...(conflicts.length === 0 ? {} : { conflicts }) };
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
