import type { Diagnostic } from "../diagnostic/diagnostic.ts";
import { problem } from "../diagnostic/problem.ts";
import { listDeeds } from "../engine/list-deeds.ts";
import type { RunState } from "../engine/state.ts";
import { err, ok, type Result } from "../util/result.ts";
import { planSelection } from "./plan-undo.ts";
import type { RestoredRun } from "./read-run.ts";
import { conflictsOf, startUndo } from "./roll-back.ts";
import type { Runtime } from "./runtime.ts";
import { endIfWaiting } from "./undo-run.ts";

const mostNamed = 3;

/**
 * Takes back what those blocks of a run had changed that a rerun would run again, so that they find what they found then. The id of the
 * run that did so; nothing when there was nothing to do.
 */
export async function restoreForRerun(
  runtime: Runtime,
  before: RestoredRun,
  foreseen: RunState,
): Promise<Result<string | undefined, readonly Diagnostic[]>> {
  const { runId } = before.state.started;
  const ended = await endIfWaiting(runtime, runId);
  if (!ended.ok) return ended;
  const deeds = await listDeeds(before.events, runtime.workflows.catalog);
  if (!deeds.ok) return err([problem("unreadable-run", deeds.error.reason)]);
  const isReused = (path: string): boolean => foreseen.nodes.get(path)?.record.metadata.reused === true;
  const selection = { isChosen: (path: string) => !isReused(path) };
  const plan = await planSelection(runtime, deeds.value, selection, "keep");
  if (plan.blocks === 0) return ok(undefined);
  const run = await startUndo(
    runtime,
    plan,
    { runId, forRerun: true },
    { onEvents() {}, onOutput() {}, startedBy: "rerun --restore" },
  );
  if (!run.ok) return err([problem("undo-refused", run.error)]);
  await run.value.settled();
  const conflicts = await run.value.inspect(conflictsOf);
  if (conflicts.length === 0) return ok(run.value.runId);
  const named = conflicts.slice(0, mostNamed).map(({ path, why }) => `${path} (${why})`);
  const more = conflicts.length > mostNamed ? ` and ${conflicts.length - mostNamed} more` : "";
  const message = `Not everything could be restored that the blocks to run again had changed: ${named.join(", ")}${more}.`;
  return err([
    problem(
      "restore-conflicts",
      message,
      `What could be is restored, by ${run.value.runId}. Rerun without restoring, or put the rest back yourself.`,
    ),
  ]);
}
