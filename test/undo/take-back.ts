import { conflictsOf } from "../../src/runs/roll-back.ts";
import type { OnConflict } from "../../src/runs/undo-plan.ts";
import { undoRun } from "../../src/runs/undo-run.ts";
import type { TestEngine } from "../rig/engine.ts";

export interface TakenBack {
  /** The run that did it; absent when there was nothing to take back. */
  readonly runId?: string;
  /** What it could not take back, by path. */
  readonly conflicts: readonly { readonly path: string; readonly why: string }[];
  /** Why not everything is as it was, in words. */
  readonly problem?: string;
}

export interface TakeBackOptions {
  readonly to?: string;
  readonly only?: string;
  readonly onConflict?: OnConflict;
}

/** Takes a run back, as the doors do. */
export async function takeBack(
  { engine }: TestEngine,
  runId: string,
  options: TakeBackOptions = {},
): Promise<TakenBack> {
  const undone = await undoRun(engine, runId, { ...options, onEvents() {}, onOutput() {} });
  if (!undone.ok) return { conflicts: [], problem: undone.error.map(({ message }) => message).join(" ") };
  const { plan, run } = undone.value;
  const state = await run?.inspect((current) => current);
  await run?.settled();
  const conflicts = [...(state === undefined ? [] : conflictsOf(state)), ...plan.notCaptured];
  const told = conflicts.map(({ path, why }) => `${path}: ${why}`);
  const isEnded = state === undefined || state.finished !== undefined;
  const problems = [...told, ...(isEnded ? [] : ["the undo does not come to its end"])];
  return {
    conflicts,
    ...(run === undefined ? {} : { runId: run.runId }),
    ...(problems.length === 0 ? {} : { problem: problems.join("; ") }),
  };
}
