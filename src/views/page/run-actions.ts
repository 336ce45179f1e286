import type { RunState } from "../../engine/state.ts";
import type { PageStanding, RunActions } from "./page-records.ts";
import type { RunPicture } from "./run-picture.ts";

/** What can be done with a run now, as far as its state tells: nothing is read for it. */
export function describeActions({ state, surroundings }: RunPicture, standing: PageStanding): RunActions {
  const isQueued = surroundings.waitsFor !== undefined;
  const isRunning = standing === "running" || isQueued;
  const word = isQueued ? "queued" : "running";
  const hasEnded = state.finished !== undefined;
  return {
    cancel: hasEnded ? "It has ended." : true,
    resume: isQueued ? "It goes on when a worker takes it." : (whyNoResume(state, standing) ?? true),
    rerun: isRunning ? `It is still ${word}, and a rerun begins with what has ended. Cancel it first.` : true,
    undo: isRunning
      ? `It is still ${word}. Cancel it first.`
      : surroundings.undoneBy !== undefined
        ? `${surroundings.undoneBy} has taken it back already.`
        : (whyNothingToUndo(state) ?? true),
  };
}

function whyNoResume({ finished, wakeAt }: RunState, standing: PageStanding): string | undefined {
  if (finished !== undefined) return "It has ended.";
  if (standing === "running") return "It goes on already.";
  if (standing !== "interrupted" && wakeAt === undefined) return "It goes on once its question is answered.";
  return undefined;
}

/** Files that are known to have changed, or a block that says how it is undone. */
function whyNothingToUndo({ changedBy, nodes }: RunState): string | undefined {
  if (changedBy.size > 0) return undefined;
  for (const { block, record } of nodes.values()) {
    if (block?.definition.undo !== undefined && record.metadata.attempts > 0) return undefined;
  }
  return "Nothing that it changed is on record.";
}
