import { forgetFailures } from "./change-node.ts";
import type { EventTable } from "./events.ts";
import { nodeAt } from "./node-at.ts";
import type { WorkflowInside } from "./run-node.ts";
import type { RunState } from "./state.ts";

type UndoEvents = "workflow-stopping" | "rollback-started" | "rollback-finished";

/** What events of stopping and taking back change: for `applyEvent` alone. */
export const undoChanges: Pick<EventTable<[state: RunState], void>, UndoEvents> = {
  "workflow-stopping": (event, state) => {
    const node = nodeAt(state, event.path);
    const { rollback } = event;
    const key = event.because.slice(event.because.lastIndexOf("/") + 1);
    const message = `'${key}' failed, and its on_failure is ${rollback ? "rollback" : "stop"}`;
    (node.inside as WorkflowInside).stopping = { rollback, message };
    forgetFailures(state, node);
  },
  "rollback-started": (event, state) => {
    const node = nodeAt(state, event.path);
    node.rollback = event;
    node.record.metadata.rollback = { state: "running", undo_run: event.undoRun, conflicts: [] };
  },
  "rollback-finished": (event, state) => {
    const node = nodeAt(state, event.path);
    const { undoRun } = node.rollback ?? {};
    const conflicts = event.conflicts.map(({ path, why }) => ({ path, why }));
    node.rollback = undefined;
    node.record.metadata.rollback = { state: event.state, undo_run: undoRun ?? null, conflicts };
  },
};
