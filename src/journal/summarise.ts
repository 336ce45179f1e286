import type { BlockPaused, RunEvent, RunStarted } from "../engine/events.ts";
import type { PendingSummary, RunSummary, StoredStatus } from "./journal.ts";

/** The part of a summary that one event after the other changes, apart from its questions. */
export type Progress = Pick<RunSummary, "status" | "cancelled" | "error" | "updatedAt" | "finishedAt" | "durationMs">;

/** What events change in the summary of their run. */
export interface SummaryChange {
  /** What is absent stays as it is. */
  readonly progress: Partial<Progress>;
  readonly questions: readonly QuestionChange[];
}

/** One block asks one question at a time, so its path says which one is gone. */
export type QuestionChange =
  /** By the event at this place among those given. */
  | { readonly kind: "asked"; readonly path: string; readonly index: number }
  | { readonly kind: "gone"; readonly path: string }
  | { readonly kind: "all-gone" };

/** The one place that says what a summary makes of events, whichever journal keeps it. */
export function summarise(events: readonly RunEvent[]): SummaryChange {
  const progress: { -readonly [Field in keyof Progress]?: Progress[Field] } = {};
  const questions: QuestionChange[] = [];
  for (const [index, event] of events.entries()) {
    progress.updatedAt = event.at;
    switch (event.type) {
      case "run-paused":
        progress.status = "paused";
        break;
      case "run-resumed":
        progress.status = "running";
        break;
      case "run-cancelling":
        if (event.requested) progress.cancelled = true;
        break;
      case "run-finished":
        progress.status = event.outcome === "success" ? "success" : "failure";
        progress.error = event.outcome === "success" ? null : event.message;
        progress.finishedAt = event.at;
        progress.durationMs = event.durationMs;
        questions.push({ kind: "all-gone" });
        break;
      case "block-paused":
        questions.push({ kind: "gone", path: event.path }, { kind: "asked", path: event.path, index });
        break;
      case "prompt-answered":
      case "block-finished":
      case "block-skipped":
        questions.push({ kind: "gone", path: event.path });
        break;
    }
  }
  return { progress, questions };
}

/** What never changes in a summary. */
export type Origin = Pick<RunSummary, "runId" | "workflow" | "workspace" | "startedAt" | "rerunOf">;

export function originOf(started: RunStarted): Origin {
  return {
    runId: started.runId,
    workflow: started.workflow,
    workspace: started.workspace,
    startedAt: started.at,
    rerunOf: started.rerunOf ?? null,
  };
}

/** How a run is before anything has changed it. */
export function initialProgress(started: RunStarted): Progress {
  return {
    status: "running",
    cancelled: false,
    error: null,
    updatedAt: started.at,
    finishedAt: null,
    durationMs: null,
  };
}

export function hasEnded(status: StoredStatus): boolean {
  return status === "success" || status === "failure";
}

export function pendingOf({ pendingId, path, at, prompt }: BlockPaused): PendingSummary {
  return { id: pendingId, path, askedAt: at, prompt };
}
