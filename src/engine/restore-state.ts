import type { Catalog } from "../block/catalog.ts";
import { inSlices } from "../util/time-slice.ts";
import type { RunEvent } from "./events.ts";
import { createPlanSource, loadFrozen } from "./plan-source.ts";
import { applyEvent, createState, type RunState } from "./state.ts";

/** The state of a run from its events alone. */
export function restoreState(events: readonly RunEvent[], catalog: Catalog): Promise<RunState> {
  return inSlices(foldEvents(events, catalog));
}

/** The same as work that can be interrupted after every event. */
export function* foldEvents(events: readonly RunEvent[], catalog: Catalog): Generator<void, RunState> {
  const [started] = events;
  if (started?.type !== "run-started") throw new Error("The events of a run begin with its start.");
  const definitions = yield* loadFrozen(started.definitions, catalog);
  const state = createState(started, createPlanSource(started.definitions, catalog, { definitions }));
  for (let index = 1; index < events.length; index++) {
    yield;
    applyEvent(state, events[index] as RunEvent);
  }
  return state;
}
