import type { RunStarted } from "../engine/events.ts";
import type { RunRequest } from "./journal.ts";

/** Equal for creations that are to be the same run. Where it works counts, not where it was started to work elsewhere. */
export function creationKey({ workspace, workspaceFrom, workflow }: RunStarted, key: string): string {
  return JSON.stringify([workspaceFrom ?? workspace, workflow, key]);
}

/** Equal for requests of which a run needs only one. */
export function requestKey(request: RunRequest): string {
  return JSON.stringify(request.kind === "answer" ? [request.kind, request.questionId] : [request.kind]);
}

export interface PreparedRequest {
  /** Of which a run has only one. */
  readonly key: string;
  readonly body: string;
}

export function prepareRequest(request: RunRequest): PreparedRequest {
  return { key: requestKey(request), body: JSON.stringify(request) };
}
