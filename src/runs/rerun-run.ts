import { type Problem, problem } from "../diagnostic/problem.ts";
import type { RunEvent, RunStarted } from "../engine/events.ts";
import { newRunId } from "../engine/ids.ts";
import { restoreState } from "../engine/restore-state.ts";
import { refuseForbidden } from "../library/engine-rules.ts";
import { err, ok, type Result } from "../util/result.ts";
import { inSlices } from "../util/time-slice.ts";
import { DrivenRun, type RunListener } from "./driven-run.ts";
import { findBlock } from "./find-block.ts";
import { readRun } from "./read-run.ts";
import { reusableEvents } from "./reusable-events.ts";
import type { Runtime } from "./runtime.ts";

export interface RerunOptions extends RunListener {
  /** Address of the block to begin with; without it everything runs again. */
  readonly from?: string;
}

/**
 * A new run of the same texts with the same inputs. With `from` it begins with the results of everything that is not downstream
 * of that block. Files are as they are now, not as they were then.
 */
export async function rerunRun(
  runtime: Runtime,
  runId: string,
  options: RerunOptions,
): Promise<Result<DrivenRun, Problem>> {
  const { platform, workflows } = runtime;
  const read = await readRun(platform, workflows.catalog, runId);
  if (!read.ok) return read;
  const { state, status } = read.value;
  if (status === "running") {
    return err(problem("still-running", `${runId} is still running.`, "Wait for its end, or cancel it first."));
  }
  const refused = refuseForbidden(state, workflows.catalog, workflows.rules);
  if (refused !== undefined) return err(refused);
  const journal = await platform.journal();
  const now = platform.clock.now();
  // After everything that is reused, even if the clock was set back meanwhile: that tells what is of this run.
  const at = new Date(Math.max(now.getTime(), Date.parse(state.latest) + 1)).toISOString();
  let reused: RunEvent[] = [];
  if (options.from !== undefined) {
    const from = findBlock(state, options.from);
    if (!from.ok) return from;
    reused = await inSlices(reusableEvents(state, await journal.read(runId), from.value, at));
  }
  const started: RunStarted = { ...state.started, at, runId: newRunId(now), rerunOf: runId };
  const { runId: newId } = started;
  const created = await journal.create({
    events: [started, ...reused.slice(0, mostAtOnce)],
    owner: platform.owners.self,
  });
  if (created.kind !== "created") throw new Error("A run without an idempotency key is always new.");
  const { fence } = created;
  // A run that begins with fewer results is as good, so nothing is wrong when the process dies in between.
  for (let next = mostAtOnce; next < reused.length; next += mostAtOnce) {
    const isAppended = await journal.append(newId, fence, reused.slice(next, next + mostAtOnce));
    if (!isAppended) return err(problem("run-lost", `Another process has taken over ${newId}.`));
  }
  options.onEvents([started]);
  const events = [started, ...reused];
  const restored = await restoreState(events, workflows.catalog);
  if (!restored.ok) throw new Error(restored.error.reason);
  const held = { journal, state: restored.value, fence, isResumed: false };
  return ok(new DrivenRun(runtime, held, options));
}

/** Events in one commit, which holds everybody up. */
const mostAtOnce = 250;
