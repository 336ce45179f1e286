import {
  type BlockPaused,
  consumeEvent,
  type EventTable,
  ignoreEvent,
  type RunEvent,
  type RunStarted,
} from "../engine/events.ts";
import type { QuestionSummary, RunSummary, StatusWord } from "./journal.ts";
import { labelOf, resultOf } from "./run-texts.ts";

/** The part of a summary that one event after the other changes, apart from its questions. */
export type Progress = Pick<
  RunSummary,
  "status" | "cancelled" | "error" | "result" | "updatedAt" | "finishedAt" | "durationMs" | "wakeAt" | "spend" | "host"
>;

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
  const change: OpenChange = { progress: {}, questions: [] };
  for (const [index, event] of events.entries()) {
    change.progress.updatedAt = event.at;
    consumeEvent(changes, event, change, index);
  }
  return change;
}

interface OpenChange {
  readonly progress: { -readonly [Field in keyof Progress]?: Progress[Field] };
  readonly questions: QuestionChange[];
}

const changes: EventTable<[change: OpenChange, index: number], void> = {
  "run-paused": ({ wakeAt = null, spend = null }, { progress }) => {
    progress.status = "paused";
    progress.spend = spend;
    progress.wakeAt = wakeAt;
  },
  "run-sleeping": ({ wakeAt, spend = null }, { progress }) => {
    progress.status = "sleeping";
    progress.spend = spend;
    progress.wakeAt = wakeAt;
  },
  "run-resumed": (_event, { progress }) => {
    progress.status = "running";
    progress.wakeAt = null;
  },
  "run-cancelling": ({ cause }, { progress }) => {
    if (cause === "cancelled") progress.cancelled = true;
  },
  "run-finished": (event, { progress, questions }) => {
    progress.status = event.outcome === "success" ? "success" : "failure";
    progress.error = event.outcome === "success" ? null : event.message;
    progress.result = event.outcome === "success" ? resultOf(event) : null;
    // Whoever cancelled it came too late for more than `finally`.
    if (event.outcome === "success") progress.cancelled = false;
    progress.finishedAt = event.at;
    progress.durationMs = event.durationMs;
    progress.spend = event.spend ?? null;
    progress.wakeAt = null;
    questions.push({ kind: "all-gone" });
  },
  "block-paused": ({ path }, { questions }, index) => {
    questions.push({ kind: "gone", path }, { kind: "asked", path, index });
  },
  "question-answered": endQuestion,
  "block-finished": endQuestion,
  "block-skipped": endQuestion,
  "block-reused": ignoreEvent,
  "attempt-ended": ignoreEvent,
  "block-sleeping": ignoreEvent,
  "block-woken": ignoreEvent,
  "run-started": ignoreEvent,
  "workspace-made": ({ host }, { progress }) => {
    progress.host = host;
  },
  "block-started": ignoreEvent,
  "block-resumed": ignoreEvent,
  "block-interrupted": ignoreEvent,
  "finally-started": ignoreEvent,
  "block-cancelling": ignoreEvent,
  "process-started": ignoreEvent,
  "file-changed": ignoreEvent,
  "observation-started": ignoreEvent,
  "changes-observed": ignoreEvent,
  "workflow-stopping": ignoreEvent,
  "rollback-started": ignoreEvent,
  "rollback-finished": ignoreEvent,
  "budget-exceeded": ignoreEvent,
  "budget-raised": ignoreEvent,
};

function endQuestion({ path }: { readonly path: string }, { questions }: OpenChange): void {
  questions.push({ kind: "gone", path });
}

/** What never changes in a summary. */
export type Origin = Pick<
  RunSummary,
  "runId" | "workflow" | "workspace" | "startedAt" | "label" | "startedBy" | "rerunOf" | "undoOf" | "queue"
>;

export function originOf(started: RunStarted): Origin {
  return {
    runId: started.runId,
    workflow: started.workflow,
    workspace: started.workspace,
    startedAt: started.at,
    label: labelOf(started),
    startedBy: started.startedBy ?? null,
    rerunOf: started.rerunOf ?? null,
    undoOf: started.undoOf?.runId ?? null,
    queue: started.queue ?? null,
  };
}

/** How a run is before anything has changed it. */
export function initialProgress(started: RunStarted): Progress {
  return {
    status: "running",
    cancelled: false,
    error: null,
    result: null,
    updatedAt: started.at,
    finishedAt: null,
    durationMs: null,
    wakeAt: null,
    spend: null,
    host: started.queue?.host ?? started.host ?? null,
  };
}

export function hasEnded(status: StatusWord): boolean {
  return status === "success" || status === "failure";
}

export function questionOf({ questionId, path, at, question }: BlockPaused): QuestionSummary {
  return { id: questionId, path, askedAt: at, question };
}
