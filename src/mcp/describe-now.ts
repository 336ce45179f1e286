import type { Problem } from "../diagnostic/problem.ts";
import { defined } from "../util/defined.ts";
import { ok, type Result } from "../util/result.ts";
import type { ResponseOptions, WorkflowResponse } from "../views/response.ts";
import { readLastLine } from "../views/run-progress.ts";
import { lookAt, readShownRun, type ShownRun } from "../views/shown-run.ts";
import { nextCalls } from "./next-calls.ts";
import type { Waiting } from "./reply.ts";
import type { ServerContext } from "./server-context.ts";

/** More than a reply has room for, even if nothing but their names is shown. */
const mostShown = 10_000;

export type DescribeOptions = Partial<Pick<ResponseOptions, "mostBlocks" | "nextSteps">>;

/** How a run stands, whoever drives it. */
export async function describeNow(
  runId: string,
  format: Waiting["format"],
  { host, platform, catalog }: ServerContext,
  { mostBlocks = mostShown, nextSteps = nextCalls }: DescribeOptions = {},
): Promise<Result<WorkflowResponse, Problem>> {
  const hosted = host.find(runId);
  const options = { format, nextSteps, mostBlocks, now: platform.clock.now().getTime() };
  if (hosted !== undefined) return ok(await lookAt(hosted.run, (run) => describe(run)));
  const read = await readShownRun(platform, catalog, runId);
  if (!read.ok) return read;
  const { run, status } = read.value;
  return ok(describe(run, status === "running" && host.hasStopped(runId) ? "interrupted" : status));

  function describe(run: ShownRun, status?: WorkflowResponse["status"]): WorkflowResponse {
    const response = run.describe({ ...options, ...defined({ status }) });
    if (response.status !== "running") return response;
    return { ...response, ...defined({ last_line: readLastLine(platform, runId, run.runningLogs()) }) };
  }
}
