import type { Problem } from "../diagnostic/problem.ts";
import { defined } from "../util/defined.ts";
import { ok, type Result } from "../util/result.ts";
import type { ResponseOptions, WorkflowResponse } from "../views/response.ts";
import { type RunningLog, readLastLine } from "../views/run-progress.ts";
import { type LiveRun, lookAt, readShownRun, type ShownRun } from "../views/shown-run.ts";
import { nextCalls } from "./next-calls.ts";
import type { Waiting } from "./reply.ts";
import type { ServerContext } from "./server-context.ts";

/** More than a reply has room for, even if nothing but their names is shown. */
const mostShown = 10_000;

export interface DescribeOptions extends Partial<Pick<ResponseOptions, "mostBlocks" | "nextSteps">> {
  /** The run, where it has just ended in this process. */
  readonly ended?: LiveRun;
}

interface Described {
  readonly response: WorkflowResponse;
  readonly running: readonly RunningLog[];
}

/** How a run stands, whoever drives it. */
export async function describeNow(
  runId: string,
  format: Waiting["format"],
  { host, platform, catalog }: ServerContext,
  { mostBlocks = mostShown, nextSteps = nextCalls, ended }: DescribeOptions = {},
): Promise<Result<WorkflowResponse, Problem>> {
  const live = host.find(runId)?.run ?? ended;
  const options = { format, nextSteps, mostBlocks, now: platform.clock.now().getTime() };
  if (live !== undefined) return ok(await addLastLine(await lookAt(live, (run) => describe(run))));
  const read = await readShownRun(platform, catalog, runId);
  if (!read.ok) return read;
  const { run, status } = read.value;
  return ok(await addLastLine(describe(run, status === "running" && host.hasStopped(runId) ? "interrupted" : status)));

  function describe(run: ShownRun, status?: WorkflowResponse["status"]): Described {
    const response = run.describe({ ...options, ...defined({ status }) });
    return { response, running: response.status === "running" ? run.runningLogs() : [] };
  }

  async function addLastLine({ response, running }: Described): Promise<WorkflowResponse> {
    if (running.length === 0) return response;
    return { ...response, ...defined({ last_line: await readLastLine(platform, runId, running) }) };
  }
}
