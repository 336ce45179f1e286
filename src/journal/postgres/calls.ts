import type { RunEvent } from "../../engine/events.ts";
import { defined } from "../../util/defined.ts";
import { type EventBatch, typesOf } from "../event-batch.ts";
import type { Blob } from "../event-encoding.ts";
import type { RunCreation } from "../journal.ts";
import type { Owner } from "../owner.ts";
import { initialProgress, originOf, type Progress, type QuestionChange } from "../summarise.ts";
import { creationKey, type PreparedRequest } from "../unique-keys.ts";
import { clean } from "./read-runs.ts";
import type { Call } from "./write-queue.ts";

/** The calls of a journal as the database takes them: see the migration that makes `frond.write`. */

export function createCall({ events, owner, idempotency }: RunCreation, batch: EventBatch, key: string): Call {
  const [started] = events;
  const { runId, label, startedBy, queue, ...origin } = originOf(started);
  const { status, updatedAt, host } = initialProgress(started);
  const texts = { label: inJson(label), startedBy: inJson(startedBy), queue: inJson(queue) };
  const same = idempotency && { key: creationKey(started, idempotency.key), fingerprint: idempotency.fingerprint };
  const head = {
    ...{
      call: "create",
      run: clean(runId),
      ...origin,
      workspace: clean(origin.workspace),
      ...texts,
      host,
      status,
      updatedAt,
    },
    ...same,
    ...(owner && holding(owner, key)),
  };
  return { ...withEvents(head, batch), what: typesOf(events) };
}

export function appendCall(
  runId: string,
  fence: number,
  batch: EventBatch,
  events: readonly RunEvent[],
  then: "release" | undefined,
): Call {
  const head = { call: "append", run: clean(runId), fence, ...defined({ then }) };
  return { ...withEvents(head, batch), what: [...typesOf(events), ...(then === undefined ? [] : [then])] };
}

export function keepCall(runId: string, fence: number, blobs: readonly Blob[]): Call {
  return { head: { call: "keep", run: clean(runId), fence }, blobs };
}

export function claimCall(runId: string, fence: number, owner: Owner, key: string): Call {
  return { head: { call: "claim", run: clean(runId), fence, ...holding(owner, key) } };
}

export function postCall(runId: string, fence: number, { key, body }: PreparedRequest): Call {
  return { head: { call: "post", run: clean(runId), fence, key, body } };
}

function holding(owner: Owner, holder: string): { readonly owner: string; readonly holder: string } {
  return { owner: JSON.stringify(owner), holder };
}

function withEvents(head: Call["head"], { events, change }: EventBatch): Call {
  return {
    head: { ...head, progress: progressOf(change.progress), questions: change.questions.map(questionChange) },
    events,
    blobs: events.flatMap(({ blobs }) => blobs),
  };
}

function progressOf({ cancelled, error, result, spend, ...plain }: Partial<Progress>): object {
  return {
    ...plain,
    ...(cancelled !== undefined && { cancelled: Number(cancelled) }),
    ...(error !== undefined && { error: JSON.stringify(error) }),
    ...(result !== undefined && { result: JSON.stringify(result) }),
    ...(spend !== undefined && { spend: inJson(spend) }),
  };
}

function questionChange(change: QuestionChange): readonly unknown[] {
  if (change.kind === "all-gone") return [change.kind];
  const path = JSON.stringify(change.path);
  return change.kind === "asked" ? [change.kind, path, change.index] : [change.kind, path];
}

function inJson(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}
