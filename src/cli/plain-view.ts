import type { BlockFinished, RunEvent } from "../engine/events.ts";
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
    const lines = events.flatMap((event) => describeEvent(event) ?? []);
    if (lines.length > 0) this.#terminal.write(`${lines.join("\n")}\n`);
  }

  onOutput(): void {}

  makeRoom(): void {}

  say(message: string): void {
    this.#terminal.write(`${message}\n`);
  }

  async end(): Promise<void> {}
}

function describeEvent(event: RunEvent): string | undefined {
  switch (event.type) {
    case "run-started":
      return `run     ${event.workflow} ${event.runId}`;
    case "block-started":
      return `start   ${cleanLine(event.path)}`;
    case "block-finished":
      return describeFinished(event);
    case "block-interrupted":
      return `lost    ${cleanLine(event.path)}: was running when Frond ended`;
    case "block-skipped":
      return `skipped ${cleanLine(event.path)}: ${firstLine(event.reason.message)}`;
    case "block-paused":
      return `asks    ${cleanLine(event.path)}: ${firstLine(event.prompt.text)}`;
    case "prompt-answered":
      return `answer  ${cleanLine(event.path)} (${cleanLine(event.by)})`;
    case "block-cancelling":
      return `stop    ${cleanLine(event.path)}: ${firstLine(event.message)}`;
    case "run-cancelling":
      return `stop    ${firstLine(event.message)}`;
    case "process-started":
    case "file-changed":
    case "block-resumed":
    case "run-paused":
    case "run-resumed":
    case "run-finished":
      return undefined;
  }
}

function describeFinished({ path, status, outcome, message, durationMs }: BlockFinished): string {
  const word = outcome === "success" ? "ok     " : status === "failed" ? "CRASHED" : "FAILED ";
  return `${word} ${cleanLine(path)} ${formatMilliseconds(durationMs)}${message === null ? "" : `: ${firstLine(message)}`}`;
}

function firstLine(text: string): string {
  return cleanLine(text.trim().split("\n")[0] ?? "");
}
