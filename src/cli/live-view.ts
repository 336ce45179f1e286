import { paint, type Style } from "../diagnostic/style.ts";
import type { RunEvent } from "../engine/events.ts";
import { type LiveRun, lookAt, type ShownRun } from "../views/shown-run.ts";
import type { Panel } from "./asking/ask-form.ts";
import { drawTree } from "./drawing/draw-tree.ts";
import { OutputTails } from "./output/output-tails.ts";
import type { RunView } from "./run-view.ts";
import type { Terminal } from "./terminal.ts";
import { lineWidth } from "./text/lay-out-table.ts";
import { cutToWidth, widthOf } from "./text/visible-text.ts";
import { wrapMessage } from "./text/wrap-message.ts";

const frameMs = 80;
/** Drawing a huge run takes at most one part in so many of the time. */
const drawingShare = 20;
/** Of the tree so much stays above a question, however long that is: the run itself, what failed, and how much is hidden. */
const leastTreeLines = 4;
/** In fewer rows the tree needs all but one of them. */
const leastRowsForHints = 10;

/** The tree of the run, drawn again in place while it goes; below it what is asked, or what keys do. */
export class LiveView implements RunView {
  readonly #terminal: Terminal;
  readonly #tails = new OutputTails();
  readonly #stopListening: () => void;
  readonly #watchers: ((events: readonly RunEvent[]) => void)[] = [];
  #run: LiveRun | undefined;
  #hint = "";
  #panel: Panel | undefined;
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#stopListening = terminal.onResize(() => this.#paint());
  }

  begin(run: LiveRun, hint: string): void {
    this.#run = run;
    this.#hint = hint;
    clearTimeout(this.#timer);
    this.#scheduleFrame(frameMs);
  }

  onEvents(events: readonly RunEvent[]): void {
    for (const event of events) {
      if (event.type === "block-finished" || event.type === "attempt-ended") this.#tails.forget(event.path);
    }
    for (const watcher of this.#watchers) watcher(events);
  }

  watch(watcher: (events: readonly RunEvent[]) => void): void {
    this.#watchers.push(watcher);
  }

  onOutput(path: string, _stream: "stdout" | "stderr", chunk: Uint8Array): void {
    this.#tails.add(path, chunk);
  }

  say(message: string, style?: Style): void {
    const { colour } = this.#terminal;
    const lines = wrapMessage(message, lineWidth(this.#terminal));
    const painted = style === undefined ? lines : lines.map((line) => paint(line, style, colour));
    this.#terminal.write(`${painted.join("\n")}\n`);
  }

  show(panel: Panel | undefined): void {
    this.#panel = panel;
    this.#paint();
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#terminal.area.clear();
    this.#stopListening();
    const run = this.#run;
    this.#run = undefined;
    const lines = Math.max(1, this.#terminal.rows - 1);
    // A run that could not be recorded to its end has nothing that may be shown.
    const tree = run && (await lookAt(run, (shown) => this.#drawTree(shown, lines)).catch(() => undefined));
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
    if (this.#panel === undefined) {
      const hint = lines > 1 ? this.#drawHint(columns - 1) : [];
      return [...this.#drawTree(shown, lines - hint.length), ...hint];
    }
    const most = Math.max(1, lines - Math.min(leastTreeLines + 1, Math.floor(lines / 3)));
    const panel = this.#panel({ columns, rows: most, colour, unicode });
    const room = lines - panel.length - 1;
    return room < 1 ? [...panel] : [...this.#drawTree(shown, room), "", ...panel];
  }

  /** A line for each part of it where it does not fit into one: a command that is cut can't be typed. */
  #drawHint(columns: number): string[] {
    const isShort = widthOf(this.#hint) <= columns || this.#terminal.rows < leastRowsForHints;
    const parts = isShort ? [this.#hint] : this.#hint.split("; ");
    return parts.map((part) => paint(cutToWidth(part, columns), "dim", this.#terminal.colour));
  }

  #drawTree(shown: ShownRun, lines: number): string[] {
    const { columns, colour, unicode } = this.#terminal;
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
