import type { RunEvent } from "../engine/events.ts";
import { type LiveRun, lookAt, type ShownRun } from "../views/shown-run.ts";
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
  #run: LiveRun | undefined;
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#stopListening = terminal.onResize(() => this.#paint());
  }

  begin(run: LiveRun): void {
    this.#run = run;
    this.#scheduleFrame(frameMs);
  }

  onEvents(events: readonly RunEvent[]): void {
    for (const event of events) {
      if (event.type === "block-finished" || event.type === "attempt-ended") this.#tails.forget(event.path);
    }
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

  async end(): Promise<void> {
    this.makeRoom();
    this.#stopListening();
    const run = this.#run;
    this.#run = undefined;
    // A run that could not be recorded to its end has nothing that may be shown.
    const tree = run && (await lookAt(run, (shown) => this.#draw(shown)).catch(() => undefined));
    if (tree !== undefined) this.#terminal.write(`${tree.join("\n")}\n\n`);
  }

  #scheduleFrame(delayMs: number): void {
    this.#timer = setTimeout(() => {
      this.#frame++;
      this.#paint();
    }, delayMs);
  }

  /** Draws between two turns of the run, and then plans the next frame by what that took. */
  #paint(): void {
    if (this.#run === undefined) return;
    lookAt(this.#run, (shown) => {
      if (this.#timer === undefined) return;
      const before = performance.now();
      this.#terminal.area.show(this.#draw(shown));
      clearTimeout(this.#timer);
      this.#scheduleFrame(Math.max(frameMs, drawingShare * (performance.now() - before)));
    }).catch(() => {});
  }

  #draw(shown: ShownRun): string[] {
    const { columns, rows, colour, unicode } = this.#terminal;
    // The cursor stands on the line below.
    const lines = Math.max(1, rows - 1);
    return drawTree(shown.tree(lines), {
      columns,
      rows: lines,
      now: Date.now(),
      frame: this.#frame,
      colour,
      unicode,
      lastLine: (path) => this.#tails.lastLine(path),
    });
  }
}
