import type { Journal } from "../journal/journal.ts";

/** Whether somebody has undone the whole of a run, with success, and has not undone that again. A rollback by itself is none. */
export async function isUndone(journal: Journal, runId: string, rollback?: string): Promise<boolean> {
  return (await findUndoOf(journal, runId, rollback)) !== undefined;
}

/** The run by which somebody has. */
export async function findUndoOf(journal: Journal, runId: string, rollback?: string): Promise<string | undefined> {
  for (const { runId: undo, status } of await journal.list({ undoOf: runId })) {
    if (status !== "success" || undo === rollback) continue;
    const [started] = await journal.read(undo);
    const scope = started?.type === "run-started" ? started.undoOf : undefined;
    const isWhole = scope !== undefined && Object.keys(scope).every((key) => key === "runId");
    if (isWhole && !(await isUndone(journal, undo))) return undo;
  }
  return undefined;
}
