/** As much of a terminal as the live view uses, without wrapping: a line that is too long is an error. */
export class TestScreen {
  readonly #columns: number;
  readonly #height: number;
  readonly #lines: string[] = [""];
  #row = 0;
  #column = 0;
  cursorHidden = false;
  /** The most rows ever between the cursor and the top of what was drawn over. */
  highestJump = 0;

  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.#height = rows;
  }

  get columns(): number {
    return this.#columns;
  }

  write(text: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal is about control characters.
    for (const [part, parameter = "", final] of text.matchAll(/\u001b\[([?\d]*)([A-Za-z])|[^\u001b]/gu)) {
      if (final !== undefined) this.#control(parameter, final);
      else this.#print(part);
    }
  }

  /** What can be read, without blanks at the end of lines and empty lines at the end. */
  text(): string[] {
    const lines = this.#lines.map((line) => line.trimEnd());
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }

  #control(parameter: string, final: string): void {
    if (final === "A") {
      const rows = Number(parameter || "1");
      this.highestJump = Math.max(this.highestJump, rows);
      if (rows >= this.#height) throw new Error(`The cursor is moved up ${rows} rows of ${this.#height}.`);
      this.#row = Math.max(0, this.#row - rows);
    } else if (final === "K") this.#lines[this.#row] = this.#line().slice(0, this.#column);
    else if (final === "J") {
      this.#lines[this.#row] = this.#line().slice(0, this.#column);
      this.#lines.length = this.#row + 1;
    } else if (parameter === "?25") this.cursorHidden = final === "l";
    else if (final !== "m") throw new Error(`A control sequence that is not expected: ${parameter}${final}`);
  }

  #print(character: string): void {
    if (character === "\r") this.#column = 0;
    else if (character === "\n") {
      this.#column = 0;
      this.#row++;
      this.#lines[this.#row] ??= "";
    } else {
      if (this.#column >= this.#columns) throw new Error(`A line is wider than ${this.#columns}: ${this.#line()}`);
      const line = this.#line().padEnd(this.#column);
      this.#lines[this.#row] = line.slice(0, this.#column) + character + line.slice(this.#column + character.length);
      this.#column += character.length;
    }
  }

  #line(): string {
    return this.#lines[this.#row] ?? "";
  }
}
