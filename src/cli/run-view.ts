import type { Style } from "../diagnostic/style.ts";
import type { RunEvent } from "../engine/events.ts";
import type { RunListener } from "../runs/driven-run.ts";
import type { LiveRun } from "../views/shown-run.ts";
import type { Stage } from "./asking/ask-form.ts";

/** Shows a run while it goes. It reads events and records, and decides nothing. What is asked of a person stands below it. */
export interface RunView extends Stage {
  /** From here on the view draws this run; `hint` says what keys do as long as nothing is asked. */
  begin(run: LiveRun, hint: string): void;
  /** Of a run that is taken over: what is known already, and not told again. */
  onPastEvents?(events: readonly RunEvent[]): void;
  onEvents(events: readonly RunEvent[]): void;
  onOutput(path: string, stream: "stdout" | "stderr", chunk: Uint8Array): void;
  /** Tells of the events that it hears. */
  watch(watcher: (events: readonly RunEvent[]) => void): void;
  /** A clean text; a person sees it in this style. */
  say(message: string, style?: Style): void;
  /** Leaves what should stay; nothing is drawn after it. */
  end(): Promise<void>;
  /** Whether the end of what this block wrote stands right above, so that it need not be shown again. */
  isInSight?(block: string): boolean;
}

export const silentView: RunView = {
  begin() {},
  onEvents() {},
  onOutput() {},
  watch() {},
  say() {},
  show() {},
  async end() {},
};

/** Whoever starts or continues a run says how, given who is to hear of it. */
export function listenerOf(view: RunView): RunListener {
  return {
    onPastEvents: (events) => view.onPastEvents?.(events),
    onEvents: (events) => view.onEvents(events),
    onOutput: (path, stream, chunk) => view.onOutput(path, stream, chunk),
  };
}
