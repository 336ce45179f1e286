import type { Route } from "../route.ts";
import { listRunsRoute } from "./list-runs.ts";

/** Every route of the API; the page uses these and no others. */
export const apiRoutes: readonly Route[] = [listRunsRoute];
