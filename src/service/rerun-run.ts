import type { RunEvent, RunStarted } from "../run/events.ts";
import { newRunId } from "../run/ids.ts";
import { restoreState } from "../run/restore-state.ts";
import { err, ok, type Result } from "../util/result.ts";
import { inSlices } from "../util/time-slice.ts";
import { DrivenRun, type RunListener } from "./driven-run.ts";
import type { Engine } from "./engine.ts";
import { refuseForbidden } from "./engine-rules.ts";
import { findBlock } from "./find-block.ts";
import { type Problem, problem } from "./problem.ts";
import { readRun } from "./read-run.ts";
import { reusableEvents } from "./reusable-events.ts";

export interface RerunOptions extends RunListener {
  /** Address of the block to begin with; without it everything runs again. */
  readonly from?: string;
}

/**
 * A new run of the same texts with the same inputs. With `from` it begins with the results of everything that is not downstream
 * of that block. Files are as they are now, not as they were then.
 */
export async function rerunRun(
  engine: Engine,
  runId: string,
  options: RerunOptions,
): Promise<Result<DrivenRun, Problem>> {
  const { outside, workflows } = engine;
  const read = await readRun(outside, workflows.catalog, runId);
  if (!read.ok) return read;
  const { state, status } = read.value;
  if (status === "running") {
    return err(problem("still-running", `${runId} is still running.`, "Wait for its end, or cancel it first."));
  }
  const refused = refuseForbidden(state, workflows.catalog, workflows.rules);
  if (refused !== undefined) return err(refused);
  const journal = await outside.journal();
  let reused: RunEvent[] = [];
  if (options.from !== undefined) {
    const from = findBlock(state, options.from);
    if (!from.ok) return from;
    reused = await inSlices(reusableEvents(state, await journal.read(runId), from.value));
  }
  const now = outside.ports.clock.now();
  const started: RunStarted = { ...state.started, at: now.toISOString(), runId: newRunId(now), rerunOf: runId };
  const { runId: newId } = started;
  const created = await journal.create({
    events: [started, ...reused.slice(0, mostAtOnce)],
    owner: outside.owners.self,
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
  const held = { journal, state: await restoreState(events, workflows.catalog), fence, isResumed: false };
  return ok(new DrivenRun(engine, held, options));
}

/** Events in one commit, which holds everybody up. */
const mostAtOnce = 250;
