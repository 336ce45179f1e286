import type { Terminal } from "../terminal.ts";
import { layOutLine, type Segment } from "./lay-out-line.ts";
import { cutToWidth, widthOf } from "./visible-text.ts";

export interface TableColumn {
  readonly align?: "right";
  /** To so many columns it may be cut where lines are short; else it is shown whole. */
  readonly least?: number;
  /** Left out where lines are short. */
  readonly isExtra?: true;
}

export interface TableRow {
  /** One for each column; clean. */
  readonly cells: readonly Segment[];
  /** What there is to say about it, after the last column. */
  readonly about: readonly Segment[];
}

/** Where less would be left of a line for what there is to say, columns give way. */
const leastAbout = 30;

/** How wide a line may be: of what is read by a program, as wide as it is. */
export function lineWidth({ isTerminal, columns }: Terminal): number {
  return isTerminal ? columns - 1 : Number.POSITIVE_INFINITY;
}

/** One line for each row, columns below each other, nothing wider than the screen. */
export function layOutTable(
  columns: readonly TableColumn[],
  rows: readonly TableRow[],
  terminal: Terminal,
  indent = "",
): string[] {
  const room = lineWidth(terminal) - widthOf(indent);
  const widths = fitWidths(columns, rows, room);
  return rows.map(({ cells, about }) => {
    const segments = cells.flatMap(([text, style], index): Segment[] => {
      const width = widths[index] ?? 0;
      if (width === 0) return [];
      const shown = cutToWidth(text, width);
      const gap = " ".repeat(width - widthOf(shown));
      const cell: Segment = style === undefined ? [shown] : [shown, style];
      return columns[index]?.align === "right" ? [[gap], cell, ["  "]] : [cell, [`${gap}  `]];
    });
    const end = about.flatMap((segment, index): Segment[] => (index === 0 ? [segment] : [["  "], segment]));
    return indent + layOutLine([...segments, ...end], room, terminal.colour).trimEnd();
  });
}

/** How many columns of the screen each column takes; none for one that is left out. */
function fitWidths(columns: readonly TableColumn[], rows: readonly TableRow[], room: number): number[] {
  const widths = columns.map((_, index) => Math.max(0, ...rows.map(({ cells }) => widthOf(cells[index]?.[0] ?? ""))));
  const missing = (): number => {
    const used = widths.reduce((sum, width) => sum + (width === 0 ? 0 : width + 2), 0);
    return used + leastAbout - room;
  };
  for (const [index, { isExtra }] of columns.entries()) if (isExtra && missing() > 0) widths[index] = 0;
  for (const [index, { least }] of columns.entries()) {
    const width = widths[index] ?? 0;
    if (least !== undefined) widths[index] = Math.min(width, Math.max(least, width - Math.max(0, missing())));
  }
  return widths;
}
