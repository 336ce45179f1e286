import { type BlockFinished, consumeEvent, type EventTable, ignoreEvent, type RunEvent } from "../engine/events.ts";
import { formatMilliseconds } from "./format-duration.ts";
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
  "block-started": ({ path }) => `start   ${cleanLine(path)}`,
  "block-finished": describeFinished,
  "block-interrupted": ({ path }) => `lost    ${cleanLine(path)}: was running when Frond ended`,
  "block-skipped": ({ path, reason }) => `skipped ${cleanLine(path)}: ${firstLine(reason.message)}`,
  "block-paused": ({ path, question }) => `asks    ${cleanLine(path)}: ${firstLine(question.text)}`,
  "question-answered": ({ path, by }) => `answer  ${cleanLine(path)} (${cleanLine(by)})`,
  "block-cancelling": ({ path, message }) => `stop    ${cleanLine(path)}: ${firstLine(message)}`,
  "run-cancelling": ({ message }) => `stop    ${firstLine(message)}`,
  "process-started": ignoreEvent,
  "file-changed": ignoreEvent,
  "block-resumed": ignoreEvent,
  "run-paused": ignoreEvent,
  "run-resumed": ignoreEvent,
  "run-finished": ignoreEvent,
};

function describeFinished({ path, status, outcome, message, durationMs }: BlockFinished): string {
  const word = outcome === "success" ? "ok     " : status === "failed" ? "CRASHED" : "FAILED ";
  return `${word} ${cleanLine(path)} ${formatMilliseconds(durationMs)}${message === null ? "" : `: ${firstLine(message)}`}`;
}

function firstLine(text: string): string {
  return cleanLine(text.trim().split("\n")[0] ?? "");
}
