import { runsAndEvents } from "./0001-runs-and-events.ts";
import { writing } from "./0002-writing.ts";
import { logs } from "./0003-logs.ts";

/** In the order of their numbers. One that has been released is never edited: a change is another one. */
export const migrations: readonly string[] = [runsAndEvents, writing, logs];
