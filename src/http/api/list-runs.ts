import * as z from "zod";
import { isReachable } from "../../mcp/reach-run.ts";
import { defined } from "../../util/defined.ts";
import { ok } from "../../util/result.ts";
import { listRuns } from "../../views/list-runs.ts";
import type { RunLines } from "../../views/page/page-records.ts";
import { describeLine } from "../../views/page/run-line.ts";
import { defineRoute, type Route } from "../route.ts";

export const listRunsRoute: Route = defineRoute({
  method: "GET",
  path: "/runs",
  summary: "The runs of this server's projects, newest first.",
  effect: "reads",
  query: () =>
    z.strictObject({
      limit: z.coerce.number().int().min(1).max(500).default(100).describe("How many at most"),
      before: z.string().optional().describe("Only those that began before this run: `next` of the page before"),
    }),
  async answer({ query: { limit, before } }, context) {
    const isWanted = (workspace: string): boolean => isReachable(workspace, context);
    const { runs, next } = await listRuns(context.platform, { limit, isWanted, ...defined({ before }) });
    const lines: RunLines = { runs: runs.map(describeLine), counts: {}, workflows: [], ...defined({ next }) };
    return ok(lines);
  },
});
