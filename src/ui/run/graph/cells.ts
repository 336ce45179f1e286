import type { PageStanding, Strip } from "../../../views/page/page-records.ts";
import { standingOf } from "../../look/standing.ts";

/**
 * Cells are drawn as one path for each way to stand, however many there are: two thousand elements would be slow to change. Which cell is
 * meant by a pointer follows from where it is.
 */
export type CellPaths = readonly (readonly [PageStanding, string])[];

/** Cells side by side on a line at `bottom`, which differ in height as they differ in colour. */
export function stripPaths(letters: Strip, x: number, bottom: number, width: number): CellPaths {
  const pitch = width / Math.max(1, letters.length);
  const gap = pitch > 3 ? 1 : 0;
  const paths = new Map<PageStanding, string>();
  for (let index = 0; index < letters.length; index++) {
    const standing = standingOf(letters.charAt(index));
    const { height, rise } = stripHeights[standing] ?? { height: 7, rise: 0 };
    const [left, wide] = [round(x + index * pitch), round(pitch - gap)];
    const isBroken = standing === "asks" || standing === "interrupted";
    const cell = isBroken
      ? rect(left, bottom - height, wide, height - 4) + rect(left, bottom - 2, wide, 2)
      : rect(left, bottom - height - rise, wide, height);
    paths.set(standing, (paths.get(standing) ?? "") + cell);
  }
  return [...paths];
}

const stripHeights: Readonly<Partial<Record<PageStanding, { height: number; rise: number }>>> = {
  to_come: { height: 1.5, rise: 0 },
  skipped: { height: 1.5, rise: 3 },
  cancelled: { height: 1.5, rise: 3 },
  running: { height: 4, rise: 0 },
  failed: { height: 11, rise: 0 },
  crashed: { height: 11, rise: 0 },
  handled: { height: 11, rise: 0 },
  asks: { height: 11, rise: 0 },
  interrupted: { height: 11, rise: 0 },
};

/** How cells stand in rows, from left to right. */
export interface Grid {
  readonly count: number;
  readonly columns: number;
  /** From a cell to the next, in pixels. */
  readonly pitch: number;
}

/** About square, as far as it may be that wide. */
export function gridOf(count: number, most: number, pitch: number): Grid {
  const columns = Math.max(1, Math.min(most, Math.max(Math.min(count, 8), Math.ceil(Math.sqrt(count)))));
  return { count, columns, pitch };
}

export function rowsOf({ count, columns }: Grid): number {
  return Math.ceil(count / columns);
}

/** Cells in rows: full ones for what has ended or failed, half for what runs, a dash or a dot for what did not. */
export function gridPaths(letters: Strip, { columns, pitch }: Grid, x: number, y: number): CellPaths {
  const size = pitch - 1;
  const paths = new Map<PageStanding, string[]>();
  for (let index = 0; index < letters.length; index++) {
    const standing = standingOf(letters.charAt(index));
    const left = x + (index % columns) * pitch;
    const top = y + Math.floor(index / columns) * pitch;
    let cells = paths.get(standing);
    if (cells === undefined) {
      cells = [];
      paths.set(standing, cells);
    }
    cells.push(gridCell(standing, left, top, size));
  }
  return [...paths].map(([standing, cells]) => [standing, cells.join("")]);
}

function gridCell(standing: PageStanding, left: number, top: number, size: number): string {
  switch (standing) {
    case "running":
      return rect(left, top + size / 2, size, size / 2);
    case "skipped":
    case "cancelled":
    case "undone":
      return rect(left, top + size / 2 - 0.5, size, 1);
    case "to_come":
      return rect(left + size / 2 - 0.75, top + size / 2 - 0.75, 1.5, 1.5);
    case "sleeping":
    case "handled":
      return rect(left + 0.5, top + 0.5, size - 1, size - 1);
    case "asks":
    case "interrupted":
      return rect(left, top, size, size - 2) + rect(left, top + size - 1, size, 1);
    default:
      return rect(left, top, size, size);
  }
}

/** The cell at a point, counted from the corner of the grid; undefined outside of it. */
export function cellAt({ count, columns, pitch }: Grid, x: number, y: number): number | undefined {
  const column = Math.floor(x / pitch);
  const index = Math.floor(y / pitch) * columns + column;
  return column < 0 || column >= columns || y < 0 || index >= count ? undefined : index;
}

/** Where an arrow key leads from a cell; it stays where there is nothing. */
export function cellBeside({ count, columns }: Grid, index: number, key: string): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
    Home: -index,
    End: count - 1 - index,
  };
  const step = steps[key];
  if (step === undefined) return undefined;
  const next = index + step;
  return next < 0 || next >= count ? index : next;
}

function rect(x: number, y: number, width: number, height: number): string {
  return `M${x} ${y}h${width}v${height}h${-width}z`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
