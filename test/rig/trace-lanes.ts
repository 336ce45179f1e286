/**
 * Reads a picture of lanes as a person does: from above, along the lines. It knows the signs and what they connect, and nothing of how
 * they were laid out.
 */

/** What goes through a sign from above, and on below it. */
const ups = "│┊├┼┤╰┴╯|:+'`";
const downs = "│┊├┼┤╮╭┬|:+,";
const joints = "├┼┤╰┴╯╮╭┬+'`,";
const blocks = "●*";
const lines = "─┄-.";

export interface PictureRow {
  /** What stands beside the lanes, if it is the row of a block. */
  readonly id?: string;
  readonly lanes: string;
}

/** For each block, those from which lines lead to it. */
export function traceLanes(rows: readonly PictureRow[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let carried: ReadonlyMap<number, ReadonlySet<string>> = new Map();
  let blockAbove = -1;
  for (const { id, lanes } of rows) {
    const signs = [...lanes];
    const at = signs.findIndex((sign) => blocks.includes(sign));
    if (id !== undefined && at < 0) throw new Error(`No sign stands for ${id}: ${lanes}`);
    if (found.has(id ?? "")) throw new Error(`${id} is there twice.`);
    // Signs right below a block that is no line come from nowhere.
    const next = new Map<number, ReadonlySet<string>>();
    for (const [column, sign] of signs.entries()) {
      const from = ups.includes(sign) ? (carried.get(column) ?? new Set()) : new Set<string>();
      if (downs.includes(sign)) next.set(column, from);
    }
    const reach = (from: number, step: 1 | -1): number[] => {
      const reached: number[] = [];
      for (let column = from + step; signs[column] !== undefined; column += step) {
        const sign = signs[column] as string;
        // Between two lanes there is a line or nothing.
        if (column % 2 === 1 && !lines.includes(sign)) break;
        if (column % 2 === 0 && joints.includes(sign)) reached.push(column);
      }
      return reached;
    };
    const sourcesOf = (columns: readonly number[]): string[] =>
      columns.flatMap((column) => [...(carried.get(column) ?? [])]);
    if (id !== undefined) {
      const straight = blockAbove === at ? [] : [at];
      found.set(id, [...new Set(sourcesOf([...reach(at, -1), ...straight]))].sort());
      for (const column of reach(at, 1)) next.set(column, new Set([...(next.get(column) ?? []), id]));
      next.set(at, new Set([id]));
    } else {
      const first = signs.findIndex((sign, column) => column % 2 === 0 && joints.includes(sign));
      if (first >= 0) next.set(first, new Set([...(next.get(first) ?? []), ...sourcesOf(reach(first, 1))]));
    }
    carried = next;
    blockAbove = id === undefined ? -1 : at;
  }
  return found;
}
