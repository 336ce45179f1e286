import { exceed, raise } from "./budget-scope.ts";
import type { EventTable } from "./events.ts";
import { nodeAt } from "./node-at.ts";
import type { RunState } from "./state.ts";

/** What events of budgets change: for `applyEvent` alone. */
export const budgetChanges: Pick<EventTable<[state: RunState], void>, "budget-exceeded" | "budget-raised"> = {
  "budget-exceeded": (event, state) => {
    const node = nodeAt(state, event.path);
    exceed(node, event);
    if (event.action === "pause") state.exceeded.add(node);
    else state.exceeded.delete(node);
  },
  "budget-raised": (event, state) => {
    const node = nodeAt(state, event.path);
    raise(node, event);
    state.exceeded.delete(node);
  },
};
