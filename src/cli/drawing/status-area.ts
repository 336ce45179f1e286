import { stripVTControlCharacters } from "node:util";
import { harmless, widthOf } from "../text/visible-text.ts";

const hideCursor = "\u001b[?25l";
const showCursor = "\u001b[?25h";
const eraseLine = "\u001b[K";
const eraseBelow = "\u001b[J";

export interface Screen {
  write(text: string): void;
  readonly columns: number;
}

/**
 * Lines at the bottom of a terminal that are replaced in place. While there are any, the cursor is hidden and stands below
 * them, at the start of a line.
 */
export class StatusArea {
  readonly #screen: Screen;
  readonly #colour: boolean;
  #lines: readonly string[] = [];

  constructor(screen: Screen, colour = true) {
    this.#screen = screen;
    this.#colour = colour;
  }

  show(lines: readonly string[]): void {
    if (lines.length === this.#lines.length && lines.every((line, index) => line === this.#lines[index])) return;
    const before = this.#lines.length === 0 ? hideCursor : this.#backToTop();
    const after = lines.length === 0 ? showCursor : "";
    const shown = lines.map((line) => `${harmless(line, this.#colour)}${eraseLine}\n`).join("");
    this.#screen.write(`${before}${shown}${eraseBelow}${after}`);
    this.#lines = lines;
  }

  clear(): void {
    if (this.#lines.length > 0) this.show([]);
  }

  /** Writes above the lines, as if they were not there. */
  above(write: () => void): void {
    const lines = this.#lines;
    this.clear();
    write();
    if (lines.length > 0) this.show(lines);
  }

  /** A terminal that has become narrower has wrapped the lines, so they may take more rows than they are. */
  #backToTop(): string {
    const { columns } = this.#screen;
    let rows = 0;
    for (const line of this.#lines) rows += Math.max(1, Math.ceil(widthOf(stripVTControlCharacters(line)) / columns));
    return `\r\u001b[${rows}A`;
  }
}
