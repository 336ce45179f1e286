import {
  type AttemptEnded,
  type BlockFinished,
  type BlockSleeping,
  consumeEvent,
  type EventTable,
  ignoreEvent,
  type LimitKind,
  type RollbackFinished,
  type RunEvent,
  type StopCause,
} from "../engine/events.ts";
import { type PassNames, withElement } from "../views/pass-names.ts";
import { RunningTimes } from "./drawing/running-times.ts";
import type { BlockOutput } from "./output/block-output.ts";
import type { LineBatch } from "./output/line-batch.ts";
import { countOf } from "./print-diagnostics.ts";
import type { RunView } from "./run-view.ts";
import { formatMilliseconds } from "./text/format-duration.ts";
import { formatTime } from "./text/format-time.ts";
import { cleanLine } from "./text/visible-text.ts";

/** One line per thing that happens, and between them what blocks write; for logs and pipes. */
export class PlainView implements RunView {
  readonly #batch: LineBatch;
  readonly #names: PassNames;
  readonly #output: BlockOutput | undefined;
  /** Paths of what holds blocks: it did run, whatever became of them. */
  readonly #holders = new Set<string>();
  readonly #times = new RunningTimes();

  constructor(batch: LineBatch, names: PassNames, output?: BlockOutput) {
    this.#batch = batch;
    this.#names = names;
    this.#output = output;
  }

  begin(): void {}

  onPastEvents(events: readonly RunEvent[]): void {
    for (const event of events) this.#names.hear(event);
  }

  onEvents(events: readonly RunEvent[]): void {
    for (const event of events) this.#names.hear(event);
    const nameOf = (path: string): string => cleanLine(withElement(path, this.#names.elementOf(path)));
    for (const event of foldReused(events, nameOf)) {
      if (typeof event === "string") {
        this.#add(event);
        continue;
      }
      if (event.type === "block-started" && event.inside.kind !== "leaf") this.#holders.add(event.path);
      this.#output?.before(event);
      const line = consumeEvent(lines, this.#times.take(event), { nameOf, holders: this.#holders });
      if (line !== undefined) this.#add(line);
    }
    this.#batch.flush();
  }

  onOutput(path: string, stream: "stdout" | "stderr", chunk: Uint8Array): void {
    this.#output?.onOutput(path, stream, chunk);
  }

  watch(): void {}

  show(): void {}

  say(message: string): void {
    this.#add(message);
    this.#batch.flush();
  }

  async end(): Promise<void> {
    this.#output?.end();
    this.#batch.flush();
  }

  isInSight(block: string): boolean {
    return this.#output?.isInSight(block) === true;
  }

  #add(line: string): void {
    this.#output?.close();
    this.#batch.add(`${line}\n`);
  }
}

/** Beyond these the number tells what the names would. */
const mostNames = 8;

/** What is reused comes in many at once, and in no time: one line tells of all that one turn has found. */
function foldReused(events: readonly RunEvent[], nameOf: Telling["nameOf"]): (RunEvent | string)[] {
  const reused = events.filter((event) => event.type === "block-reused");
  const [first] = reused;
  if (reused.length < 2) return [...events];
  const names = reused.slice(0, mostNames).map(({ path }) => nameOf(path));
  const more = reused.length > mostNames ? ` and ${reused.length - mostNames} more` : "";
  const line = `reused  ${names.join(", ")}${more}`;
  return events.flatMap((event) => (event === first ? line : event.type === "block-reused" ? [] : event));
}

interface Telling {
  /** A block by its path, and by the element of the loop that it is in: a number says little. */
  nameOf(path: string): string;
  readonly holders: ReadonlySet<string>;
}

const lines: EventTable<[telling: Telling], string | undefined> = {
  "run-started": ({ workflow, runId }) => `run     ${workflow} ${runId}`,
  "workspace-made": ({ workspace, host }) => `files   in ${workspace} on ${host}`,
  "block-started": ({ path, attempt }, { nameOf }) =>
    `start   ${nameOf(path)}${attempt > 1 ? ` (attempt ${attempt})` : ""}`,
  "block-finished": describeFinished,
  "block-interrupted": ({ path }, { nameOf }) => `lost    ${nameOf(path)}: was running when Frond ended`,
  "block-reused": ({ path }, { nameOf }) => `reused  ${nameOf(path)}`,
  "block-skipped": ({ path, reason }, { nameOf }) => `skipped ${nameOf(path)}: ${firstLine(reason.message)}`,
  "block-paused": ({ path, question }, { nameOf }) => `asks    ${nameOf(path)}: ${firstLine(question.text)}`,
  "question-answered": ({ path, by }, { nameOf }) => `answer  ${nameOf(path)} (${cleanLine(by)})`,
  "finally-started": ignoreEvent,
  "block-cancelling": ({ path, message }, { nameOf }) => `stop    ${nameOf(path)}: ${firstLine(message)}`,
  "run-cancelling": ({ message }) => `stop    ${firstLine(message)}`,
  "process-started": ignoreEvent,
  "file-changed": ignoreEvent,
  "observation-started": ignoreEvent,
  "changes-observed": ignoreEvent,
  "workflow-stopping": ignoreEvent,
  "rollback-started": ({ path }, { nameOf }) => `undo    rolling back ${path === "" ? "the run" : nameOf(path)}...`,
  "rollback-finished": describeRolledBack,
  "budget-exceeded": ({ path, limit, action }, { nameOf }) =>
    `budget  ${path === "" ? "the run" : nameOf(path)} has reached its limit of ${limitWords[limit]}: ${action}`,
  "budget-raised": ({ path, by }, { nameOf }) =>
    `budget  of ${path === "" ? "the run" : nameOf(path)} raised (${cleanLine(by)})`,
  "block-resumed": ignoreEvent,
  "block-sleeping": describeSleep,
  "block-woken": ignoreEvent,
  "attempt-ended": (event, telling) =>
    `${describeFinished(event, telling).replace(/\.$/, "")}; next attempt ${describeDelay(event)}`,
  "run-paused": ignoreEvent,
  "run-sleeping": ignoreEvent,
  "run-resumed": ignoreEvent,
  "run-finished": ignoreEvent,
};

const limitWords: Readonly<Record<LimitKind, string>> = {
  usd: "cost",
  tokens: "tokens",
  duration: "time",
  blocks: "attempts",
};

function describeFinished(event: BlockFinished | AttemptEnded, { nameOf, holders }: Telling): string {
  const { path, message, durationMs } = event;
  return `${endingWord(event, holders).padEnd(7)} ${nameOf(path)} ${formatMilliseconds(durationMs)}${message === null ? "" : `: ${firstLine(message)}`}`;
}

function describeRolledBack({ path, restored = 0, conflicts }: RollbackFinished, { nameOf }: Telling): string {
  const { length: left } = conflicts;
  const [part, stay] = left === 0 ? ["", ""] : [" in part", `, ${left} ${left === 1 ? "stays" : "stay"}`];
  const what = path === "" ? "the run" : nameOf(path);
  return `undone  ${what}${part}: ${countOf(restored, "path")} ${restored === 1 ? "is" : "are"} as before${stay}`;
}

/** Soon is told as a time span, later as a time of day. */
function describeSleep({ path, at, until }: BlockSleeping, { nameOf }: Telling): string | undefined {
  const milliseconds = Math.max(0, Date.parse(until) - Date.parse(at));
  if (milliseconds === 0) return undefined;
  const howLong = milliseconds < 60_000 ? `for ${formatMilliseconds(milliseconds)}` : `until ${formatTime(until)}`;
  return `sleeps  ${nameOf(path)} ${howLong}`;
}

function describeDelay({ at, retryAt }: AttemptEnded): string {
  const milliseconds = Math.max(0, Date.parse(retryAt) - Date.parse(at));
  if (milliseconds === 0) return "at once";
  return milliseconds < 60_000 ? `in ${formatMilliseconds(milliseconds)}` : `at ${formatTime(retryAt)}`;
}

function endingWord(ending: BlockFinished | AttemptEnded, holders: ReadonlySet<string>): string {
  if (ending.outcome === "success") return "ok";
  if (ending.status !== "failed") return "FAILED";
  return ending.cause === undefined && holders.has(ending.path) ? "FAILED" : stopWords[ending.cause ?? "crash"];
}

const stopWords: Readonly<Record<StopCause | "crash", string>> = {
  crash: "CRASHED",
  timeout: "TIMEOUT",
  cancelled: "STOPPED",
  interrupted: "LOST",
  limit: "STOPPED",
  budget: "STOPPED",
};

function firstLine(text: string): string {
  return cleanLine(text.trim().split("\n")[0] ?? "");
}
