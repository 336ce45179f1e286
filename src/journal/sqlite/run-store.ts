import type { RunEvent } from "../../engine/events.ts";
import type { EventBatch } from "../event-batch.ts";
import type { Blob } from "../event-encoding.ts";
import type { Appended, Created, PostedRequest, RunCreation, RunQuery, RunSummary } from "../journal.ts";
import type { Owner } from "../owner.ts";
import type { RunRow } from "../run-row.ts";
import { hasEnded } from "../summarise.ts";
import type { PreparedRequest } from "../unique-keys.ts";
import { BlobTable } from "./blob-table.ts";
import type { Prepare, Row } from "./driver.ts";
import { EventTable, type StoredEvent } from "./event-table.ts";
import { InboxTable } from "./inbox-table.ts";
import { QuestionTable } from "./question-table.ts";
import { type RunHeader, RunTable } from "./run-table.ts";

/** The calls of a journal upon the tables. Each expects to be in a transaction, and checks everything before it writes. */
export class RunStore {
  readonly #now: () => number;
  readonly #runs: RunTable;
  readonly #events: EventTable;
  readonly #questions: QuestionTable;
  readonly #inbox: InboxTable;

  constructor(sql: Prepare, now: () => number) {
    this.#now = now;
    this.#runs = new RunTable(sql);
    this.#events = new EventTable(sql, new BlobTable(sql));
    this.#questions = new QuestionTable(sql, this.#events);
    this.#inbox = new InboxTable(sql);
  }

  create({ events: [started], owner, idempotency }: RunCreation, batch: EventBatch): Created {
    const existing = idempotency && this.#runs.sameAs(started, idempotency);
    if (existing !== undefined) return { kind: "exists", ...existing };
    if (this.#runs.header(started.runId) !== undefined) throw new Error(`There is a run '${started.runId}' already.`);
    this.#add(this.#runs.add(started, owner && { owner, heartbeatAt: this.#now() }, idempotency), batch);
    return { kind: "created", fence: 1 };
  }

  claim(runId: string, seenFence: number, owner: Owner): number | undefined {
    const run = this.#under(runId, seenFence);
    if (run === undefined) return undefined;
    this.#runs.hold(run.number, run.fence + 1, { owner, heartbeatAt: this.#now() });
    return run.fence + 1;
  }

  append(runId: string, fence: number, batch: EventBatch, then?: "release"): Appended {
    const run = this.#under(runId, fence);
    if (run === undefined) return false;
    this.#add(run, batch);
    if (then !== "release" || !this.#inbox.isEmpty(run.number)) return true;
    this.#runs.release(run.number);
    return "released";
  }

  holds(runId: string, fence: number): boolean {
    return this.#under(runId, fence) !== undefined;
  }

  heartbeat(held: Iterable<readonly [runId: string, fence: number]>): void {
    for (const [runId, fence] of held) this.#runs.heartbeat(runId, fence, this.#now());
  }

  release(runId: string, fence: number): "released" | "requests-waiting" | "fenced" {
    const run = this.#under(runId, fence);
    if (run === undefined) return "fenced";
    if (!this.#inbox.isEmpty(run.number)) return "requests-waiting";
    this.#runs.release(run.number);
    return "released";
  }

  abandon(runId: string, fence: number): void {
    const run = this.#under(runId, fence);
    if (run !== undefined) this.#runs.release(run.number);
  }

  has(runId: string): boolean {
    return this.#runs.header(runId) !== undefined;
  }

  readPage(runId: string, after: number, most: number): readonly Row[] {
    const run = this.#runs.header(runId);
    return run === undefined ? [] : this.#events.readPage(run.number, after, most);
  }

  /** Makes events of those in the rows of pages. */
  createDecoder(): (event: StoredEvent) => RunEvent {
    return this.#events.createDecoder();
  }

  /** Stores content ahead of the events that use it. False when the fence is not the latest one. */
  keep(runId: string, fence: number, blobs: readonly Blob[]): boolean {
    const run = this.#under(runId, fence);
    if (run !== undefined) this.#events.keep(run.number, blobs);
    return run !== undefined;
  }

  find(runId: string): RunSummary | undefined {
    const row = this.#runs.find(runId);
    return row && this.#withQuestions([row])[0];
  }

  sequences(): Map<string, number> {
    return this.#runs.sequences();
  }

  list(query: RunQuery): RunSummary[] {
    return this.#withQuestions(this.#runs.list(query));
  }

  post(runId: string, seenFence: number, request: PreparedRequest): boolean {
    const run = this.#under(runId, seenFence);
    if (run === undefined || !run.held) return false;
    this.#inbox.add(run.number, request);
    return true;
  }

  requests(runId: string): PostedRequest[] {
    const run = this.#runs.header(runId);
    return run === undefined ? [] : this.#inbox.read(run.number);
  }

  settle(ids: Iterable<number>): void {
    for (const id of ids) this.#inbox.settle(id);
  }

  hide(runId: string, checkpointId: string): void {
    this.#runs.hide(runId, checkpointId);
  }

  delete(runId: string): boolean {
    const run = this.#runs.header(runId);
    if (run === undefined || !hasEnded(run.status)) return false;
    this.#events.remove(run.number);
    this.#questions.removeAll(run.number);
    this.#inbox.remove(run.number);
    this.#runs.remove(run.number);
    return true;
  }

  #under(runId: string, fence: number): RunHeader | undefined {
    const run = this.#runs.header(runId);
    return run?.fence === fence ? run : undefined;
  }

  #add(run: RunHeader, { events, change }: EventBatch): void {
    const { updatedAt } = change.progress;
    // Without events there is nothing that could have changed.
    if (updatedAt === undefined) return;
    this.#events.add(run.number, run.sequence, updatedAt, events);
    const questions = this.#questions.change(run.number, run.questions, change.questions, run.sequence);
    this.#runs.advance(run, run.sequence + events.length, questions, change.progress);
  }

  #withQuestions(rows: readonly RunRow[]): RunSummary[] {
    const asking = rows.filter(({ questions }) => questions > 0).map(({ number }) => number);
    const questions = this.#questions.read(asking);
    return rows.map(({ number, summary }) => ({ ...summary, ...(questions.get(number) ?? { questions: [] }) }));
  }
}
