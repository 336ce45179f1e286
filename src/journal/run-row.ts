import type { RunQueue } from "../engine/events.ts";
import type { RunSummary, StatusWord } from "./journal.ts";
import type { Owner } from "./owner.ts";
import { parseStored } from "./stored-json.ts";
import type { Progress } from "./summarise.ts";

/** A row of `runs` as a summary, which lacks its questions. */
export interface RunRow {
  readonly number: number;
  readonly questions: number;
  readonly summary: Omit<RunSummary, "questions">;
}

export function readRow(row: Readonly<Record<string, unknown>>): RunRow {
  const text = (column: string): string => String(row[column]);
  const optional = <T>(column: string, read: (cell: unknown) => T): T | null => {
    const cell = row[column];
    return cell === null || cell === undefined ? null : read(cell);
  };
  const owner = optional("owner", (cell) => parseStored(String(cell)) as Owner);
  const isLost = optional("is_lost", Boolean);
  return {
    number: Number(row.number),
    questions: Number(row.questions),
    summary: {
      runId: text("run_id"),
      workflow: text("workflow"),
      workspace: text("workspace"),
      status: text("status") as StatusWord,
      cancelled: Number(row.cancelled) === 1,
      error: optional("error", (cell) => parseStored(String(cell)) as string | null),
      result: optional("result", (cell) => parseStored(String(cell)) as string | null),
      startedAt: text("started_at"),
      updatedAt: text("updated_at"),
      finishedAt: optional("finished_at", String),
      durationMs: optional("duration_ms", Number),
      wakeAt: optional("wake_at", String),
      spend: optional("spend", (cell) => parseStored(String(cell)) as NonNullable<Progress["spend"]>),
      label: optional("label", (cell) => parseStored(String(cell)) as string),
      startedBy: optional("started_by", (cell) => parseStored(String(cell)) as string),
      rerunOf: optional("rerun_of", String),
      undoOf: optional("undo_of", String),
      queue: optional("queue", (cell) => parseStored(String(cell)) as RunQueue),
      host: optional("host", String),
      sequence: Number(row.sequence),
      fence: Number(row.fence),
      ...(owner && { lease: { owner, heartbeatAt: Number(row.heartbeat_at), ...(isLost !== null && { isLost }) } }),
      hidden: parseStored(text("hidden")) as readonly string[],
    },
  };
}
