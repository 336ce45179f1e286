import type { Route } from "../route.ts";
import { listRunsRoute } from "./list-runs.ts";
import { runEventsRoute } from "./run-events.ts";
import { runLevelRoute, runRoute } from "./run-level.ts";

/** Every route of the API; the page uses these and no others. */
export const apiRoutes: readonly Route[] = [listRunsRoute, runLevelRoute, runEventsRoute, runRoute];
