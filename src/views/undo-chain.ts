import type { Platform } from "../runs/platform.ts";

/** How a run stands among those that take each other back: an undo of an undo is a redo, and an undo of that is an undo again. */
export interface UndoChain {
  /** Of a run that takes another back: the run that it is about in the end. */
  readonly origin?: {
    readonly run_id: string;
    /** Absent when that run is not stored any more. */
    readonly workflow?: string;
    /** Undoing it does what that run did once more. */
    readonly is_redo: boolean;
  };
  /** The newest run that took it back, or a part of it; unless it was done again after that. */
  readonly undone_by?: string;
  /** The newest run that did again what had been taken back. */
  readonly redone_by?: string;
}

export async function readUndoChain(platform: Platform, runId: string): Promise<UndoChain> {
  const journal = await platform.journal();
  let [run, depth, first] = [await journal.find(runId), 0, runId];
  while (run !== undefined && run.undoOf !== null) {
    first = run.undoOf;
    depth += 1;
    run = await journal.find(first);
  }
  let [last, later] = [runId, 0];
  for (;;) {
    const [newest] = await journal.list({ undoOf: last, limit: 1 });
    if (newest === undefined) break;
    last = newest.runId;
    later += 1;
  }
  const workflow = run === undefined ? {} : { workflow: run.workflow };
  return {
    ...(depth === 0 ? {} : { origin: { run_id: first, ...workflow, is_redo: depth % 2 === 1 } }),
    ...(later === 0 ? {} : later % 2 === 1 ? { undone_by: last } : { redone_by: last }),
  };
}
