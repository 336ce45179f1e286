import * as z from "zod";
import { ok } from "../../util/result.ts";
import type { Strip } from "../../views/page/page-records.ts";
import { stripQuery } from "../../views/page/run-book.ts";
import { defineRoute, type Route } from "../route.ts";
import { splitAtCommas } from "./comma-separated.ts";

const mostStrips = 200;

export const readStripsRoute: Route = defineRoute({
  method: "GET",
  path: "/strips",
  summary: "How the blocks of several runs stand, each run as a short text.",
  description:
    "One letter for each block at the top of a run: `d` done, `r` running, `f` failed, `h` failed and handled, `x` could not run, `a` asks, `i` interrupted, `s` sleeping, `k` skipped, `.` to come, `c` cancelled. Of more than 40 blocks each letter is that of the worst among several. Runs that are not there, or can't be read, are left out.",
  effect: "reads",
  query: () =>
    z.strictObject({
      runs: z.string().describe(`Ids of runs, with commas between; the first ${mostStrips} count`),
    }),
  gives: () => z.object({ strips: z.record(z.string(), z.string()).describe("By the id of the run") }),
  async answer({ query, signal }, { runBook }) {
    const lines = await runBook.lines();
    const strips: Record<string, Strip> = {};
    for (const runId of splitAtCommas(query.runs).slice(0, mostStrips)) {
      const line = lines.get(runId);
      if (signal.aborted || line === undefined) continue;
      const made = await runBook.strips.of(stripQuery(runId, line.sequence, line.standing));
      if (made !== undefined) strips[runId] = made.strip;
    }
    return ok({ strips });
  },
});
