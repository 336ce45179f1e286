import type { Terminal } from "../terminal.ts";
import { layOutLine, type Segment, widthOfSegments } from "./lay-out-line.ts";
import { lineWidth } from "./lay-out-table.ts";
import { widthOf } from "./visible-text.ts";
import { wrapSegments } from "./wrap-segments.ts";

/** A name with short facts about it in columns, and what there is to say, at length. */
export interface Entry {
  readonly cells: readonly Segment[];
  readonly text: readonly Segment[];
}

/** With less room than this beside the columns, the text stands below them. */
const leastText = 24;

/** Columns below each other; the text beside them, broken between words, each line of it below the first. In a pipe it is one line. */
export function layOutEntries(entries: readonly Entry[], terminal: Terminal, indent = "  "): string[] {
  const { colour } = terminal;
  const room = lineWidth(terminal);
  const widths: number[] = [];
  for (const { cells } of entries) {
    for (const [index, [text]] of cells.entries()) widths[index] = Math.max(widths[index] ?? 0, widthOf(text));
  }
  const width = widths.reduce((sum, column) => sum + (column === 0 ? 0 : column + 2), widthOf(indent));
  return entries.flatMap(({ cells, text }) => {
    const head = cells.flatMap(([cell, ...style], index): Segment[] => {
      const column = widths[index] ?? 0;
      return column === 0 ? [] : [[cell, ...style], [" ".repeat(column - widthOf(cell) + 2)]];
    });
    const line = layOutLine([[indent], ...head], room, colour);
    if (widthOfSegments(text) === 0) return [line.trimEnd()];
    if (room - width < leastText) {
      return [
        line.trimEnd(),
        ...wrapSegments(text, room, colour, { first: `${indent}    `, following: `${indent}    ` }),
      ];
    }
    const following = " ".repeat(width);
    const [first = "", ...others] = wrapSegments(text, room, colour, { first: following, following });
    return [line + first.slice(width), ...others];
  });
}
