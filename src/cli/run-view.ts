import type { RunEvent } from "../run/events.ts";
import type { RunState } from "../run/state.ts";

/** Shows a run while it goes. It reads events and state, and decides nothing. */
export interface RunView {
  /** From here on the view may draw. */
  begin(state: RunState): void;
  onEvents(events: readonly RunEvent[]): void;
  onOutput(path: string, stream: "stdout" | "stderr", chunk: Uint8Array): void;
  say(message: string): void;
  /** Somebody else needs the terminal, until `begin`. */
  makeRoom(): void;
  /** Leaves what should stay; nothing is drawn after it. */
  end(): void;
}

export const silentView: RunView = {
  begin() {},
  onEvents() {},
  onOutput() {},
  say() {},
  makeRoom() {},
  end() {},
};
