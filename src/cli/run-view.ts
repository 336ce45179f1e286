import type { RunEvent } from "../engine/events.ts";
import type { LiveRun } from "../views/shown-run.ts";

/** Shows a run while it goes. It reads events and records, and decides nothing. */
export interface RunView {
  /** From here on the view may draw. */
  begin(run: LiveRun): void;
  onEvents(events: readonly RunEvent[]): void;
  onOutput(path: string, stream: "stdout" | "stderr", chunk: Uint8Array): void;
  say(message: string): void;
  /** Somebody else needs the terminal, until `begin`. */
  makeRoom(): void;
  /** Leaves what should stay; nothing is drawn after it. */
  end(): Promise<void>;
}

export const silentView: RunView = {
  begin() {},
  onEvents() {},
  onOutput() {},
  say() {},
  makeRoom() {},
  async end() {},
};
