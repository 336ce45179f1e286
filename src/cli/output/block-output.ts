import { paint, type Style } from "../../diagnostic/style.ts";
import type { RunEvent } from "../../engine/events.ts";
import { SpilledBytes } from "../../util/spilled-bytes.ts";
import { cleanLine } from "../text/visible-text.ts";
import type { GitHubCommands } from "./github-commands.ts";
import type { LineBatch } from "./line-batch.ts";
import { OutputLines } from "./output-lines.ts";

type Stream = "stdout" | "stderr";

/** Where the lines of blocks go: a block's all at once, or a part of them. */
export interface OutputSink {
  /** Whole lines of one block. */
  show(path: string, text: string): void;
  /** Something else is to be written. */
  close(): void;
  /** Whether each line has to say whose it is. */
  readonly isNamed: boolean;
  /** Whether the lines of two blocks may alternate. */
  readonly isMixed: boolean;
  readonly colour: boolean;
}

export interface OutputOptions {
  /** Of which blocks: of those that fail when they have, or of all as it comes. */
  readonly of: "all" | "failed";
  /** What a block is called in front of its lines; its path unless it says otherwise. */
  nameOf?(path: string): string;
}

/**
 * A group of GitHub Actions for each block. Groups can neither nest nor alternate, so a block is followed while it runs alone, and else
 * shown when it has ended: every block can be opened by itself, and a step that does one thing at a time is still seen to move.
 */
export function groupSink(
  batch: LineBatch,
  github: GitHubCommands,
  colour: boolean,
  titleOf: (path: string) => string,
): OutputSink {
  let open: string | undefined;
  const begun = new Set<string>();
  const close = (): void => {
    if (open === undefined) return;
    batch.flush();
    github.closeGroup();
    open = undefined;
  };
  return {
    show(path, text) {
      if (text === "") return;
      if (open !== path) {
        close();
        batch.flush();
        const title = titleOf(path);
        github.openGroup(begun.has(path) ? `${title} (goes on)` : title);
        begun.add(path);
        open = path;
      }
      batch.add(text);
    },
    close,
    isNamed: false,
    isMixed: false,
    colour,
  };
}

export function mixedSink(batch: LineBatch, colour: boolean): OutputSink {
  return { show: (_path, text) => batch.add(text), close() {}, isNamed: true, isMixed: true, colour };
}

/** A question without a line end is shown when nothing has followed it for so long. */
const silenceMs = 500;
/** What a block writes beyond this while it is held back can be found in its log. */
const mostHeld = 100_000_000;
/** Less than the lowest terminal has. */
const linesInSight = 15;
const blockStyles: readonly Style[] = ["cyan", "green", "magenta", "blue", "yellow"];

interface Writer {
  readonly lines: Readonly<Record<Stream, OutputLines>>;
  readonly prefix: string;
  readonly held: SpilledBytes;
  heldLines: number;
  silence: NodeJS.Timeout | undefined;
}

/** What the blocks of a run write, as lines that are shown: at once, or when it is their turn. */
export class BlockOutput {
  readonly #sink: OutputSink;
  readonly #options: OutputOptions;
  /** Blocks that run, with what they write once they have written something. */
  readonly #running = new Map<string, Writer | undefined>();
  #styles = 0;
  /** Lines shown so far. */
  #shown = 0;
  /** By path of a block that failed: how many lines had been shown then. */
  readonly #shownAtFailure = new Map<string, number>();

  constructor(sink: OutputSink, options: OutputOptions) {
    this.#sink = sink;
    this.#options = options;
  }

  onOutput(path: string, stream: Stream, chunk: Uint8Array): void {
    let writer = this.#running.get(path);
    if (writer === undefined) {
      writer = this.#createWriter(path);
      this.#running.set(path, writer);
    }
    const lines = writer.lines[stream];
    this.#add(path, writer, stream, lines.take(chunk));
    if (!lines.isWaiting) return;
    if (writer.silence === undefined) writer.silence = setTimeout(() => this.#breakSilence(path), silenceMs);
    else writer.silence.refresh();
  }

  /** Shows what has to be shown before anything is said of the event. */
  before(event: RunEvent): void {
    if (event.type === "block-started" && event.inside.kind === "leaf") this.#running.set(event.path, undefined);
    if (!endsWriting(event) || !this.#running.has(event.path)) return;
    const writer = this.#running.get(event.path);
    this.#running.delete(event.path);
    if (writer !== undefined) this.#end(event.path, writer, event);
  }

  /** Nothing comes any more. */
  end(): void {
    for (const [path, writer] of this.#running) if (writer !== undefined) this.#end(path, writer);
    this.#running.clear();
    this.#sink.close();
  }

  close(): void {
    this.#sink.close();
  }

  /** Whether the end of what this block wrote before it failed can still be seen: hardly anything was written by others since. */
  isInSight(path: string): boolean {
    const at = this.#shownAtFailure.get(path);
    return at !== undefined && this.#shown - at <= linesInSight && this.#sink.isMixed;
  }

  #createWriter(path: string): Writer {
    const { isNamed, colour } = this.#sink;
    const style = blockStyles[this.#styles++ % blockStyles.length] as Style;
    const name = cleanLine(this.#options.nameOf?.(path) ?? path);
    return {
      lines: { stdout: new OutputLines(), stderr: new OutputLines() },
      prefix: isNamed ? `${paint(name, style, colour)} | ` : "",
      held: new SpilledBytes(mostHeld),
      heldLines: 0,
      silence: undefined,
    };
  }

  #breakSilence(path: string): void {
    const writer = this.#running.get(path);
    if (writer === undefined) return;
    writer.silence = undefined;
    for (const stream of streams) this.#add(path, writer, stream, writer.lines[stream].takeBeginning());
  }

  #end(path: string, writer: Writer, event?: RunEvent): void {
    clearTimeout(writer.silence);
    for (const stream of streams) this.#add(path, writer, stream, writer.lines[stream].end());
    const hasFailed = event?.type === "block-finished" && event.outcome !== "success";
    if (hasFailed || this.#options.of === "all") this.#release(path, writer);
    else writer.held.clear();
    if (hasFailed) this.#shownAtFailure.set(path, this.#shown);
  }

  #add(path: string, writer: Writer, stream: Stream, lines: readonly string[]): void {
    if (lines.length === 0) return;
    const { prefix, held } = writer;
    const { colour } = this.#sink;
    const painted = stream === "stderr" ? lines.map((line) => paint(line, "red", colour)) : lines;
    const text = `${prefix}${painted.join(`\n${prefix}`)}\n`;
    if (this.#isFollowed()) {
      this.#release(path, writer);
      this.#shown += lines.length;
      this.#sink.show(path, text);
    } else {
      writer.heldLines += lines.length;
      held.push(Buffer.from(text));
    }
  }

  /** Whether lines are shown as they come. Where they may not mix, only those of a block that runs alone. */
  #isFollowed(): boolean {
    return this.#options.of === "all" && (this.#sink.isMixed || this.#running.size <= 1);
  }

  #release(path: string, writer: Writer): void {
    const { held } = writer;
    if (writer.heldLines === 0) return;
    let rest = "";
    const decoder = new TextDecoder();
    for (let piece = held.shift(); piece !== undefined; piece = held.shift()) {
      // Whoever looks for something in a line must see all of it.
      const text = rest + decoder.decode(piece, { stream: true });
      const end = text.lastIndexOf("\n") + 1;
      rest = text.slice(end);
      this.#sink.show(path, text.slice(0, end));
    }
    const lost = held.takeLost();
    if (lost > 0) this.#sink.show(path, `... ${lost} more bytes are in the log\n`);
    this.#shown += writer.heldLines;
    writer.heldLines = 0;
  }
}

const streams = ["stdout", "stderr"] as const;

function endsWriting(event: RunEvent): event is Extract<RunEvent, { readonly path: string }> {
  return endings.has(event.type);
}

const endings: ReadonlySet<RunEvent["type"]> = new Set<RunEvent["type"]>([
  "attempt-ended",
  "block-finished",
  "block-interrupted",
  "block-paused",
  "block-sleeping",
]);
