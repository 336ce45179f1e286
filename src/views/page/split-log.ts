import { parseAnsi, textOf } from "../../drawing/ansi/ansi.ts";
import { turningCharacters } from "../../util/obeyed-characters.ts";
import { LogDecoder, type LogEntry } from "../read-logs.ts";
import type { LogLine } from "./detail-records.ts";
import { tellsFailure } from "./tells-failure.ts";

/** In characters: what is longer becomes several lines. */
const longestLine = 10_000;

interface OpenLine {
  readonly entry: Omit<LogEntry, "bytes" | "isLast">;
  text: string;
  /** When its last part was written. */
  at: number;
}

/** Makes lines of what attempts write, however that was split. */
export class LogSplitter {
  readonly #namesBlocks: boolean;
  readonly #decoder = new LogDecoder();
  /** What has no end yet, by attempt and stream. */
  readonly #open = new Map<string, OpenLine>();

  /** `namesBlocks`: several write, so that each line says whose it is. */
  constructor(namesBlocks: boolean) {
    this.#namesBlocks = namesBlocks;
  }

  *add(entry: LogEntry): Generator<LogLine> {
    const key = keyOf(entry, entry.stream);
    const text = `${this.#open.get(key)?.text ?? ""}${this.#decoder.decode(entry)}`;
    this.#open.delete(key);
    let from = 0;
    for (;;) {
      const end = text.indexOf("\n", from);
      const isLong = (end === -1 ? text.length : end) - from > longestLine;
      if (end === -1 && !isLong) break;
      const to = isLong ? cutAt(text, from + longestLine) : end;
      yield this.#line(entry, entry.at, text.slice(from, to));
      from = isLong ? to : to + 1;
    }
    if (from < text.length) this.#open.set(key, { entry, text: text.slice(from), at: entry.at });
    if (entry.isLast) for (const stream of ["stdout", "stderr"] as const) yield* this.#end(keyOf(entry, stream));
  }

  /** Lines that have no end, and to which nothing has been added since a time. */
  *takeOpen(before: number): Generator<LogLine> {
    for (const [key, { at }] of [...this.#open]) if (at < before) yield* this.#end(key);
  }

  *#end(key: string): Generator<LogLine> {
    const open = this.#open.get(key);
    this.#open.delete(key);
    if (open !== undefined) yield this.#line(open.entry, open.at, open.text);
  }

  #line({ block, attempt, stream }: OpenLine["entry"], at: number, text: string): LogLine {
    const name = attempt > 1 ? `${block}@${attempt}` : block;
    const spans = parseAnsi(harmlessLine(text));
    const isStyled = spans.some((span) => span.class !== "");
    const shown = textOf(spans);
    return {
      at,
      stream,
      text: shown,
      ...(isStyled ? { styles: spans.map((span): [number, string] => [span.text.length, span.class]) } : {}),
      ...(this.#namesBlocks ? { block: name } : {}),
      ...(tellsFailure(shown) ? { is_failure: true } : {}),
    };
  }
}

function keyOf({ block, attempt }: Pick<LogEntry, "block" | "attempt">, stream: string): string {
  return `${stream} ${attempt} ${block}`;
}

/** Between two characters, never in one. */
function cutAt(text: string, at: number): number {
  return /[\ud800-\udbff]/.test(text[at - 1] ?? "") ? at - 1 : at;
}

const suspicious = new RegExp(`[^\\P{Cc}\\t]|[${turningCharacters}]`, "u");
const turning = new RegExp(`[${turningCharacters}]`, "gu");
const [esc, bell] = ["\u001b", "\u0007"];
/** Titles, links and other texts for a terminal, as a whole: their ends are control characters that would be gone. */
const terminalTexts = new RegExp(`${esc}[\\]P^_X][^${bell}${esc}]*(?:${bell}|${esc}\\\\)`, "g");
const otherControls = new RegExp(`[^\\P{Cc}\\t${esc}]`, "gu");

/**
 * Escape sequences stay, to be read for their colours. Of a line that was written over again and again, as progress is, the last state stays. Other control
 * characters are made visible, and what turns the direction of writing goes: nothing may look like something else than it is.
 */
export function harmlessLine(text: string): string {
  if (!suspicious.test(text)) return text;
  const states = text.split("\r").filter((state) => state !== "");
  return (states.at(-1) ?? "").replaceAll(terminalTexts, "").replaceAll(turning, "").replaceAll(otherControls, picture);
}

function picture(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}
