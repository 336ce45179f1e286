import {
  type AttemptEnded,
  type BlockFinished,
  type BlockSleeping,
  consumeEvent,
  type EventTable,
  ignoreEvent,
  type RunEvent,
  type StopCause,
} from "../engine/events.ts";
import { formatMilliseconds } from "./format-duration.ts";
import { formatTime } from "./format-time.ts";
import type { RunView } from "./run-view.ts";
import type { Terminal } from "./terminal.ts";
import { cleanLine } from "./visible-text.ts";

/** One line per thing that happens, for logs and pipes. */
export class PlainView implements RunView {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  begin(): void {}

  onEvents(events: readonly RunEvent[]): void {
    const written = events.flatMap((event) => consumeEvent(lines, event) ?? []);
    if (written.length > 0) this.#terminal.write(`${written.join("\n")}\n`);
  }

  onOutput(): void {}

  makeRoom(): void {}

  say(message: string): void {
    this.#terminal.write(`${message}\n`);
  }

  async end(): Promise<void> {}
}

const lines: EventTable<[], string | undefined> = {
  "run-started": ({ workflow, runId }) => `run     ${workflow} ${runId}`,
  "block-started": ({ path, attempt }) => `start   ${cleanLine(path)}${attempt > 1 ? ` (attempt ${attempt})` : ""}`,
  "block-finished": describeFinished,
  "block-interrupted": ({ path }) => `lost    ${cleanLine(path)}: was running when Frond ended`,
  "block-skipped": ({ path, reason }) => `skipped ${cleanLine(path)}: ${firstLine(reason.message)}`,
  "block-paused": ({ path, question }) => `asks    ${cleanLine(path)}: ${firstLine(question.text)}`,
  "question-answered": ({ path, by }) => `answer  ${cleanLine(path)} (${cleanLine(by)})`,
  "finally-started": ignoreEvent,
  "block-cancelling": ({ path, message }) => `stop    ${cleanLine(path)}: ${firstLine(message)}`,
  "run-cancelling": ({ message }) => `stop    ${firstLine(message)}`,
  "process-started": ignoreEvent,
  "file-changed": ignoreEvent,
  "block-resumed": ignoreEvent,
  "block-sleeping": describeSleep,
  "block-woken": ignoreEvent,
  "attempt-ended": (event) => `${describeFinished(event).replace(/\.$/, "")}; next attempt ${describeDelay(event)}`,
  "run-paused": ignoreEvent,
  "run-sleeping": ignoreEvent,
  "run-resumed": ignoreEvent,
  "run-finished": ignoreEvent,
};

function describeFinished(event: BlockFinished | AttemptEnded): string {
  const { path, message, durationMs } = event;
  return `${endingWord(event).padEnd(7)} ${cleanLine(path)} ${formatMilliseconds(durationMs)}${message === null ? "" : `: ${firstLine(message)}`}`;
}

/** Soon is told as a time span, later as a time of day. */
function describeSleep({ path, at, until }: BlockSleeping): string | undefined {
  const milliseconds = Math.max(0, Date.parse(until) - Date.parse(at));
  if (milliseconds === 0) return undefined;
  const howLong = milliseconds < 60_000 ? `for ${formatMilliseconds(milliseconds)}` : `until ${formatTime(until)}`;
  return `sleeps  ${cleanLine(path)} ${howLong}`;
}

function describeDelay({ at, retryAt }: AttemptEnded): string {
  const milliseconds = Math.max(0, Date.parse(retryAt) - Date.parse(at));
  if (milliseconds === 0) return "at once";
  return milliseconds < 60_000 ? `in ${formatMilliseconds(milliseconds)}` : `at ${formatTime(retryAt)}`;
}

function endingWord(ending: BlockFinished | AttemptEnded): string {
  if (ending.outcome === "success") return "ok";
  return ending.status === "failed" ? stopWords[ending.cause ?? "crash"] : "FAILED";
}

const stopWords: Readonly<Record<StopCause | "crash", string>> = {
  crash: "CRASHED",
  timeout: "TIMEOUT",
  cancelled: "STOPPED",
  interrupted: "CRASHED",
  limit: "STOPPED",
};

function firstLine(text: string): string {
  return cleanLine(text.trim().split("\n")[0] ?? "");
}
