import { layOutLine, type Segment, widthOfSegments } from "./lay-out-line.ts";
import type { Terminal } from "./terminal.ts";

/** One entry of a list: what it is, when it began, and what there is to say about it. */
export interface ListRow {
  readonly what: readonly Segment[];
  /** Columns that `what` takes in the widest row, so that what follows stands in the same place in each. */
  readonly width: number;
  readonly when: Segment;
  readonly about: readonly Segment[];
}

/** Where less would be left of the line for what there is to say, that gets a line of its own. */
const leastAbout = 30;

/** Nothing wider than the screen; what is read by a program is never cut. */
export function layOutRow({ what, width, when, about }: ListRow, terminal: Terminal): string {
  const columns = terminal.isInteractive ? terminal.columns - 1 : Number.POSITIVE_INFINITY;
  const gap: Segment = [" ".repeat(Math.max(0, width - widthOfSegments(what)) + 2)];
  const end = about.flatMap((segment): Segment[] => [["  "], segment]);
  const isWide = columns - widthOfSegments([...what, gap, when]) >= leastAbout;
  const lines = isWide ? [[...what, gap, when, ...end]] : [what, [["    "] as Segment, when, ...end]];
  return lines.map((line) => `${layOutLine(line, columns, terminal.colour).trimEnd()}\n`).join("");
}
