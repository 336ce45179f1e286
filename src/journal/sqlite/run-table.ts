import type { RunStarted } from "../../engine/events.ts";
import type { Idempotency, RunQuery, StatusWord } from "../journal.ts";
import type { Lease } from "../owner.ts";
import { type RunRow, readRow } from "../run-row.ts";
import { parseStored } from "../stored-json.ts";
import { initialProgress, originOf, type Progress } from "../summarise.ts";
import { creationKey } from "../unique-keys.ts";
import type { Cell, Prepare, Row } from "./driver.ts";

/** What a call needs to know of a run before it changes anything. */
export interface RunHeader {
  readonly number: number;
  readonly sequence: number;
  readonly fence: number;
  readonly held: boolean;
  readonly status: StatusWord;
  /** How many questions wait for an answer. */
  readonly questions: number;
}

/** Of a run that goes on, the latest row of its events knows how far it is. */
const latest = "(SELECT max(last) FROM commits WHERE run = number)";
const withLatest = `SELECT runs.*, commits.last, commits.at FROM runs
  LEFT JOIN commits ON status = 'running' AND run = number AND last = ${latest}`;
const sequence = `CASE status WHEN 'running' THEN ${latest} ELSE sequence END`;

/**
 * One row for each run, with what its summary says: so lists read no events. How far a run is, and when that was, is in its row as long as
 * it does not run; while it does, that is read from the latest row of its events, so that going on writes only those.
 */
export class RunTable {
  readonly #sql: Prepare;

  constructor(sql: Prepare) {
    this.#sql = sql;
  }

  add(started: RunStarted, lease: Lease | undefined, idempotency: Idempotency | undefined): RunHeader {
    const { runId, workflow, workspace, startedAt, label, startedBy, rerunOf, undoOf, queue } = originOf(started);
    const { status, updatedAt, host } = initialProgress(started);
    const key = idempotency === undefined ? null : creationKey(started, idempotency.key);
    const insert = this.#sql(
      `INSERT INTO runs (run_id, idempotency_key, fingerprint, workflow, workspace, rerun_of, undo_of, started_at, label, started_by,
         queue, host, sequence, status, cancelled, updated_at, questions, fence, owner, heartbeat_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, 0, ?, 0, 1, ?, ?)`,
    );
    const identity = [runId, key, idempotency?.fingerprint ?? null, workflow, workspace, rerunOf, undoOf, startedAt];
    const texts = [label, startedBy, queue].map((text) => (text === null ? null : JSON.stringify(text)));
    const holder = lease === undefined ? [null, null] : [JSON.stringify(lease.owner), lease.heartbeatAt];
    const { lastRowId } = insert.run(...identity, ...texts, host, status, updatedAt, ...holder);
    return { number: lastRowId, sequence: 0, fence: 1, held: lease !== undefined, status, questions: 0 };
  }

  header(runId: string): RunHeader | undefined {
    const row = this.#sql(
      `SELECT number, ${sequence} AS sequence, fence, owner IS NOT NULL AS held, status, questions FROM runs WHERE run_id = ?`,
    ).get(runId);
    return (
      row && {
        number: Number(row.number),
        sequence: Number(row.sequence),
        fence: Number(row.fence),
        held: row.held === 1,
        status: row.status as StatusWord,
        questions: Number(row.questions),
      }
    );
  }

  /** The run that was made under an idempotency key. */
  sameAs(
    started: RunStarted,
    { key, fingerprint }: Idempotency,
  ): { runId: string; sameFingerprint: boolean } | undefined {
    const row = this.#sql("SELECT run_id, fingerprint FROM runs WHERE idempotency_key = ?").get(
      creationKey(started, key),
    );
    return row && { runId: String(row.run_id), sameFingerprint: row.fingerprint === fingerprint };
  }

  hold(run: number, fence: number, { owner, heartbeatAt }: Lease): void {
    const update = this.#sql("UPDATE runs SET fence = ?, owner = ?, heartbeat_at = ? WHERE number = ?");
    update.run(fence, JSON.stringify(owner), heartbeatAt, run);
  }

  heartbeat(runId: string, fence: number, at: number): void {
    this.#sql("UPDATE runs SET heartbeat_at = ? WHERE run_id = ? AND fence = ? AND owner IS NOT NULL").run(
      at,
      runId,
      fence,
    );
  }

  release(run: number): void {
    this.#sql("UPDATE runs SET owner = NULL, heartbeat_at = NULL WHERE number = ?").run(run);
  }

  advance(header: RunHeader, sequence: number, questions: number, progress: Partial<Progress>): void {
    const { number: run } = header;
    const { status, cancelled, error, result, updatedAt, finishedAt, durationMs, wakeAt, spend, host } = progress;
    const isRunning = header.status === "running" && status === undefined;
    if (!isRunning) {
      const step = "UPDATE runs SET sequence = ?, updated_at = coalesce(?, updated_at) WHERE number = ?";
      this.#sql(step).run(sequence, updatedAt ?? null, run);
    }
    if (questions !== header.questions) this.#sql("UPDATE runs SET questions = ? WHERE number = ?").run(questions, run);
    if (status !== undefined) this.#sql("UPDATE runs SET status = ? WHERE number = ?").run(status, run);
    if (host !== undefined) this.#sql("UPDATE runs SET host = ? WHERE number = ?").run(host, run);
    if (wakeAt !== undefined) this.#sql("UPDATE runs SET wake_at = ? WHERE number = ?").run(wakeAt, run);
    if (spend !== undefined)
      this.#sql("UPDATE runs SET spend = ? WHERE number = ?").run(spend === null ? null : JSON.stringify(spend), run);
    if (cancelled !== undefined)
      this.#sql("UPDATE runs SET cancelled = ? WHERE number = ?").run(Number(cancelled), run);
    if (finishedAt !== undefined) {
      const end = this.#sql("UPDATE runs SET error = ?, result = ?, finished_at = ?, duration_ms = ? WHERE number = ?");
      end.run(JSON.stringify(error ?? null), JSON.stringify(result ?? null), finishedAt, durationMs ?? null, run);
    }
  }

  hide(runId: string, checkpointId: string): void {
    const row = this.#sql("SELECT hidden FROM runs WHERE run_id = ?").get(runId);
    if (row === undefined) return;
    const hidden = new Set(parseStored(String(row.hidden)) as readonly string[]);
    const text = JSON.stringify([...hidden.add(checkpointId)]);
    this.#sql("UPDATE runs SET hidden = ? WHERE run_id = ?").run(text, runId);
  }

  find(runId: string): RunRow | undefined {
    const row = this.#sql(`${withLatest} WHERE run_id = ?`).get(runId);
    return row && readRow(upToDate(row));
  }

  sequences(): Map<string, number> {
    const rows = this.#sql(`SELECT run_id, ${sequence} AS sequence FROM runs ORDER BY number DESC`).all();
    return new Map(rows.map(({ run_id, sequence }) => [String(run_id), Number(sequence)]));
  }

  list({ limit, before, workflow, statuses, dueBefore, undoOf }: RunQuery): RunRow[] {
    const conditions: string[] = [];
    const values: Cell[] = [];
    function require(condition: string, ...cells: readonly Cell[]): void {
      conditions.push(condition);
      values.push(...cells);
    }
    if (before !== undefined) require("number < (SELECT number FROM runs WHERE run_id = ?)", before);
    if (workflow !== undefined) require("workflow = ?", workflow);
    if (statuses !== undefined) require(`status IN (${statuses.map(() => "?").join()})`, ...statuses);
    if (dueBefore !== undefined) require("wake_at < ?", dueBefore);
    if (undoOf !== undefined) require("undo_of = ?", undoOf);
    const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
    const rows = this.#sql(`${withLatest} ${where} ORDER BY number DESC LIMIT ?`).all(...values, limit ?? -1);
    return rows.map((row) => readRow(upToDate(row)));
  }

  remove(run: number): void {
    this.#sql("DELETE FROM runs WHERE number = ?").run(run);
  }
}

function upToDate(row: Row): Row {
  return row.last === null ? row : { ...row, sequence: row.last, updated_at: row.at };
}
