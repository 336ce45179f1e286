import * as z from "zod";
import { type Problem, problem } from "../../diagnostic/problem.ts";
import { defined } from "../../util/defined.ts";
import { readMoment } from "../../util/moment.ts";
import { describeListed, listRuns as listAll, listedStatuses, type RunData } from "../../views/list-runs.ts";
import { starterOf } from "../call.ts";
import { fitPage } from "../fit-response.ts";
import { isReachable } from "../reach-run.ts";
import { refuse, result } from "../reply.ts";
import { defineTool, type Tool } from "../tool.ts";
import { cursor, limit, pageRoom } from "./parameters.ts";

export const listRuns: Tool = defineTool({
  name: "list_runs",
  title: "List runs",
  description: "Lists runs, newest first. Next: get_run.",
  toolset: "runs",
  effect: "reads",
  parameters: () =>
    z.strictObject({
      workflow: z.string().optional(),
      status: z.enum(listedStatuses).optional(),
      since: z.string().optional().describe("2h, 3d or a date"),
      limit: limit.default(20),
      cursor,
    }),
  async call(args, call, context) {
    const isKnown =
      args.cursor === undefined || (await (await context.platform.journal()).find(args.cursor)) !== undefined;
    if (!isKnown) return refuse(staleCursor);
    const since = args.since === undefined ? undefined : readMoment(args.since, context.platform.clock.now().getTime());
    if (args.since !== undefined && since === undefined) return refuse(badTime(args.since));
    const { runs, next } = await listAll(context.platform, {
      ...(args.workflow === undefined ? {} : { workflows: [args.workflow] }),
      ...(args.status === undefined ? {} : { statuses: [args.status] }),
      limit: args.limit,
      ...defined({ before: args.cursor, since }),
      isWanted: (workspace) => isReachable(workspace, context),
    });
    const usual = { workspace: context.settings.workspace, starter: starterOf(call) };
    const listed = runs.map((run) => brief(describeListed(run), usual));
    const page = fitPage(listed, pageRoom);
    const before = page.length < listed.length ? page.at(-1)?.run_id : next;
    return result({ runs: page, ...defined({ next_cursor: before }) });
  },
});

/** Runs are removed when they are old; an empty page would say that there are no more. */
const staleCursor: Problem = problem(
  "stale-cursor",
  "The cursor names no run, or none that is still there.",
  "Call list_runs({}) to begin anew.",
);

function badTime(text: string): Problem {
  return problem(
    "bad-time",
    `since can't be '${text}'.`,
    'Call list_runs({"since":"2h"}), or with a date such as 2026-11-01.',
  );
}

type Brief = Pick<RunData, "run_id"> & Partial<RunData>;

const longestError = 500;

/** A page of runs is read by a model: what says nothing is left out. */
function brief(
  { pending, workspace, started_by, finished_at, duration_ms, error, ...run }: RunData,
  usual: { readonly workspace: string; readonly starter: string },
): Brief {
  return {
    ...run,
    ...(error === undefined
      ? {}
      : { error: error.length > longestError ? `${error.slice(0, longestError)}...` : error }),
    ...(finished_at === null ? {} : { finished_at }),
    ...(duration_ms === null ? {} : { duration_ms }),
    ...(pending.length === 0 ? {} : { pending }),
    ...(workspace === usual.workspace ? {} : { workspace }),
    ...(started_by === undefined || started_by === usual.starter ? {} : { started_by }),
  };
}
