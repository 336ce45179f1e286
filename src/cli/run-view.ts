import type { RunEvent } from "../engine/events.ts";
import type { RunState } from "../engine/state.ts";

/** A run whose state can be looked at between its turns. */
export interface Inspectable {
  inspect<T>(look: (state: RunState) => T): Promise<T>;
}

/** Shows a run while it goes. It reads events and state, and decides nothing. */
export interface RunView {
  /** From here on the view may draw. */
  begin(run: Inspectable): void;
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
