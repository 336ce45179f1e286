import type { Catalog } from "../block/catalog.ts";
import type { RunEvent } from "./events.ts";
import { createPlanSource } from "./plan-source.ts";
import { applyEvent, createState, type RunState } from "./state.ts";

/** The state of a run from its events alone. */
export function restoreState(events: readonly RunEvent[], catalog: Catalog): RunState {
  const [started, ...rest] = events;
  if (started?.type !== "run-started") throw new Error("The events of a run begin with its start.");
  const state = createState(started, createPlanSource(started.definitions, catalog));
  for (const event of rest) applyEvent(state, event);
  return state;
}
