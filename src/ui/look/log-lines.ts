import type { LogLine, LogLines } from "../../views/page/detail-records.ts";

/** A line as it is kept; `leftOut` of those that the server did not send, which stand as one. */
export interface LogRow extends LogLine {
  readonly leftOut?: number;
}

/** More would make the page slow; what came first goes first, and can be read in the whole log. */
const mostLines = 200_000;

/**
 * The lines of a log that are here. A stream that begins anew sends its last lines again: since each line has a number, those that are here
 * already are told from the new ones.
 */
export class LogStore {
  /** How many lines came before the first that is here. */
  skipped = 0;
  rows: LogRow[] = [];
  hasEnded = false;
  private readonly most: number;

  constructor(most: number = mostLines) {
    this.most = most;
  }

  add({ lines, skipped = 0, has_ended }: LogLines, isFresh: boolean): void {
    if (isFresh) this.begin(skipped, lines);
    else if (skipped > 0) this.rows.push(leftOutRow(skipped, lines[0]?.at ?? 0));
    for (const line of lines) this.rows.push(line);
    this.hasEnded = has_ended === true;
    // Not at every line: each time, all that stay are moved.
    if (this.rows.length > this.most * 1.1) {
      this.skipped += this.rows.length - this.most;
      this.rows = this.rows.slice(-this.most);
    }
  }

  /** Keeps what came before the lines that are sent again, unless it is another log. */
  private begin(skipped: number, lines: readonly LogLine[]): void {
    const at = skipped - this.skipped;
    const [first, here] = [lines[0], this.rows[at]];
    const isSame = first !== undefined && here !== undefined && first.at === here.at && first.text === here.text;
    if (isSame) this.rows.length = at;
    else {
      this.rows = [];
      this.skipped = skipped;
    }
  }
}

function leftOutRow(leftOut: number, at: number): LogRow {
  return { at, stream: "stdout", text: "", leftOut };
}

export interface LineWindow {
  /** Index of the first line that is drawn, and of the first behind the last. */
  readonly first: number;
  readonly end: number;
}

/** Lines that are in sight, and a few around them. */
export function windowOf(scrollTop: number, height: number, lineHeight: number, count: number): LineWindow {
  const around = 12;
  const first = Math.max(0, Math.min(count, Math.floor(scrollTop / lineHeight)) - around);
  return { first, end: Math.min(count, Math.ceil((scrollTop + height) / lineHeight) + around) };
}
