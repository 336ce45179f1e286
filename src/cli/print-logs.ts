import { paint, type Style } from "../diagnostic/style.ts";
import { type Attempt, LogDecoder, type LogEntry } from "../views/read-logs.ts";
import { visibleLine } from "./output/output-lines.ts";
import { printJsonLine } from "./print-diagnostics.ts";
import type { Terminal } from "./terminal.ts";
import { cleanLine, cutToWidth, widthOf } from "./text/visible-text.ts";

/** Shows log entries as they come. */
export interface LogPrinter {
  print(entry: LogEntry): void;
  /** Shows what was held back; nothing is printed after it. */
  end(): void;
}

/** What a single block wrote, byte for byte. Where one attempt ends and the next begins is told beside it. */
export class RawLogPrinter implements LogPrinter {
  readonly #terminal: Terminal;
  #last: Attempt | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  print({ block, attempt, bytes }: LogEntry): void {
    const last = this.#last;
    if (last !== undefined && (last.block !== block || last.attempt !== attempt)) {
      const line = last.block === block ? attemptLine(attempt) : separator(block, attempt);
      this.#terminal.writeError(`${line}\n`);
    }
    this.#last = { block, attempt };
    this.#terminal.writeBytes(bytes);
  }

  end(): void {}
}

/** One document for each entry. */
export class JsonLogPrinter implements LogPrinter {
  readonly #terminal: Terminal;
  readonly #decoder = new LogDecoder();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  print(entry: LogEntry): void {
    const { block, attempt, bytes } = entry;
    if (bytes.length === 0) return;
    printJsonLine({ block, attempt, ...describeChunk(entry, this.#decoder) }, this.#terminal);
  }

  end(): void {}
}

export interface ChunkData {
  readonly stream: LogEntry["stream"];
  readonly at: string;
  readonly text: string;
}

export function describeChunk(entry: LogEntry, decoder: LogDecoder): ChunkData {
  return { stream: entry.stream, at: new Date(entry.at).toISOString(), text: decoder.decode(entry) };
}

export interface LineLogOptions {
  /** Blocks that are known to write, so that their lines begin in the same column. */
  readonly blocks: readonly string[];
  /** Whether each line says which block wrote it. */
  readonly named: boolean;
}

const blockStyles: readonly Style[] = ["cyan", "green", "magenta", "blue", "yellow"];
const longestName = 30;
/** What is longer is no line anybody reads, and must not fill the memory. */
const longestLine = 100_000;

interface OpenBlock {
  readonly style: Style;
  attempt: number;
  /** The beginning of a line that has not ended, by stream. */
  readonly open: Record<LogEntry["stream"], string>;
}

/** Whole lines, as a person reads them. Nothing in them speaks to the terminal; a program gets them as they are. */
export class LineLogPrinter implements LogPrinter {
  readonly #terminal: Terminal;
  readonly #named: boolean;
  readonly #decoder = new LogDecoder();
  readonly #blocks = new Map<string, OpenBlock>();
  #width: number;

  constructor(terminal: Terminal, { blocks, named }: LineLogOptions) {
    this.#terminal = terminal;
    this.#named = named;
    this.#width = Math.max(0, ...blocks.map((block) => widthOf(shortName(block))));
  }

  print(entry: LogEntry): void {
    const { block, stream } = entry;
    const open = this.#openBlock(entry);
    const lines = (open.open[stream] + this.#decoder.decode(entry)).split("\n");
    const rest = lines.pop() ?? "";
    const isTooLong = rest.length > longestLine;
    open.open[stream] = isTooLong ? "" : rest;
    if (isTooLong) lines.push(rest);
    this.#writeLines(block, open, stream, lines);
    if (entry.isLast) this.#flush(block, open);
  }

  end(): void {
    for (const [block, open] of this.#blocks) this.#flush(block, open);
  }

  #openBlock({ block, attempt }: LogEntry): OpenBlock {
    let open = this.#blocks.get(block);
    if (open === undefined) {
      const style = blockStyles[this.#blocks.size % blockStyles.length] as Style;
      open = { style, attempt, open: { stdout: "", stderr: "" } };
      this.#blocks.set(block, open);
      // Of a block alone there can be more than one address only where what is around it was tried again.
      if (attempt > 1 || (!this.#named && this.#blocks.size > 1)) this.#writeSeparator(block, open);
    } else if (open.attempt !== attempt) {
      this.#flush(block, open);
      open.attempt = attempt;
      this.#writeSeparator(block, open);
    }
    return open;
  }

  #flush(block: string, open: OpenBlock): void {
    for (const stream of ["stdout", "stderr"] as const) {
      if (open.open[stream] !== "") this.#writeLines(block, open, stream, [open.open[stream]]);
      open.open[stream] = "";
    }
  }

  #writeSeparator(block: string, open: OpenBlock): void {
    const isOther = !this.#named && this.#blocks.size > 1;
    const text = isOther ? separator(cleanLine(block), open.attempt) : attemptLine(open.attempt);
    const line = paint(text, "dim", this.#terminal.colour);
    this.#terminal.write(`${this.#prefix(block, open.style)}${line}\n`);
  }

  /** All at once: a write for each line takes longer than everything else. */
  #writeLines(block: string, { style }: OpenBlock, stream: LogEntry["stream"], lines: readonly string[]): void {
    if (lines.length === 0) return;
    const { isTerminal, colour } = this.#terminal;
    const prefix = this.#prefix(block, style);
    const shown = lines.map((line) => {
      const text = isTerminal ? visibleLine(line) : line;
      return `${prefix}${stream === "stderr" ? paint(text, "red", colour) : text}\n`;
    });
    if (isTerminal) this.#terminal.write(shown.join(""));
    else this.#terminal.writeBytes(Buffer.from(shown.join("")));
  }

  #prefix(block: string, style: Style): string {
    if (!this.#named) return "";
    const name = shortName(block);
    this.#width = Math.max(this.#width, widthOf(name));
    return `${paint(name + " ".repeat(this.#width - widthOf(name)), style, this.#terminal.colour)} | `;
  }
}

function attemptLine(attempt: number): string {
  return `--- attempt ${attempt} ---`;
}

/** For another address of the same block. */
function separator(block: string, attempt: number): string {
  return `--- ${block}${attempt > 1 ? `@${attempt}` : ""} ---`;
}

function shortName(block: string): string {
  return cutToWidth(cleanLine(block), longestName);
}
