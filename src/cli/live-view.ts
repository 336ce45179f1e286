import type { RunEvent } from "../run/events.ts";
import type { RunState } from "../run/state.ts";
import { drawTree } from "./draw-tree.ts";
import { OutputTails } from "./output-tails.ts";
import type { RunView } from "./run-view.ts";
import type { Terminal } from "./terminal.ts";

const frameMs = 80;
/** Drawing a huge run takes at most one part in so many of the time. */
const drawingShare = 20;

/** The tree of the run, drawn again in place while it goes. */
export class LiveView implements RunView {
  readonly #terminal: Terminal;
  readonly #tails = new OutputTails();
  readonly #stopListening: () => void;
  #state: RunState | undefined;
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#stopListening = terminal.onResize(() => this.#paint());
  }

  begin(state: RunState): void {
    this.#state = state;
    this.#scheduleFrame(frameMs);
  }

  onEvents(events: readonly RunEvent[]): void {
    for (const event of events) if (event.type === "block-finished") this.#tails.forget(event.path);
  }

  onOutput(path: string, _stream: "stdout" | "stderr", chunk: Uint8Array): void {
    this.#tails.add(path, chunk);
  }

  say(message: string): void {
    this.#terminal.write(`${message}\n`);
  }

  makeRoom(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#terminal.area.clear();
  }

  end(): void {
    this.makeRoom();
    this.#stopListening();
    if (this.#state !== undefined) this.#terminal.write(`${this.#draw(this.#state).join("\n")}\n\n`);
    this.#state = undefined;
  }

  #scheduleFrame(delayMs: number): void {
    this.#timer = setTimeout(() => {
      const before = performance.now();
      this.#frame++;
      this.#paint();
      this.#scheduleFrame(Math.max(frameMs, drawingShare * (performance.now() - before)));
    }, delayMs);
  }

  #paint(): void {
    if (this.#timer !== undefined && this.#state !== undefined) this.#terminal.area.show(this.#draw(this.#state));
  }

  #draw(state: RunState): string[] {
    const { columns, rows, colour, unicode } = this.#terminal;
    return drawTree(state, {
      columns,
      // The cursor stands on the line below.
      rows: Math.max(1, rows - 1),
      now: Date.now(),
      frame: this.#frame,
      colour,
      unicode,
      lastLine: (path) => this.#tails.lastLine(path),
    });
  }
}
