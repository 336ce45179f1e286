import { runsAndEvents } from "./0001-runs-and-events.ts";
import { sleepingRuns } from "./0002-sleeping-runs.ts";
import { whoStartedRuns } from "./0003-who-started-runs.ts";
import { whatRunsUndo } from "./0004-what-runs-undo.ts";
import { whatRunsCost } from "./0005-what-runs-cost.ts";
import { whatTellsRunsApart } from "./0006-what-tells-runs-apart.ts";
import { whereRunsMayGoOn } from "./0007-where-runs-may-go-on.ts";
import { rowsOfCommits } from "./0008-rows-of-commits.ts";

/** In the order of their numbers. One that has been released is never edited: a change is another one. */
export const migrations: readonly string[] = [
  runsAndEvents,
  sleepingRuns,
  whoStartedRuns,
  whatRunsUndo,
  whatRunsCost,
  whatTellsRunsApart,
  whereRunsMayGoOn,
  rowsOfCommits,
];
