import { laneKeys } from "./order-rows.ts";
import type { Line } from "./reduce-edges.ts";

/**
 * Blocks one below the other, each in a row, with the lines between them in lanes at the left.
 *
 * A lane goes down from the blocks it comes from to those that wait for them; blocks that lead to the same others share one. So that a
 * picture can be read in one way only:
 * - What a block waits for comes from above, or from a lane at its left.
 * - What it leads to goes down from it, or into a lane at its right (`╮`, `┤`).
 * - Lanes at its right that end with it are led to it in a row of their own (`╭─╯`).
 * - A line that only passes a lane leaves it as it is: `─│─`.
 * - A block right below another one is not connected with it; where it is, there is a row between.
 */
export interface LaneRow {
  readonly block: number;
  /** The lanes in the row of the block. */
  readonly lanes: string;
  /** The lanes below it. */
  readonly below: string;
  /** A row that stands above it. */
  readonly above?: { readonly lanes: string; readonly unlessThereIsOne: boolean };
}

export interface Lanes {
  readonly rows: readonly LaneRow[];
  /** Columns that the widest row takes. */
  readonly width: number;
}

export interface LaneSigns {
  readonly block: string;
  /** Solid, dotted. */
  readonly down: readonly [string, string];
  readonly across: readonly [string, string];
  /** By what meets there: from above 1, to below 2, left 4, right 8. */
  readonly joints: Readonly<Record<number, string>>;
}

export const lineSigns: LaneSigns = {
  block: "●",
  down: ["│", "┊"],
  across: ["─", "┄"],
  joints: { 5: "╯", 6: "╮", 7: "┤", 9: "╰", 10: "╭", 11: "├", 13: "┴", 14: "┬", 15: "┼" },
};

export const asciiSigns: LaneSigns = {
  block: "*",
  down: ["|", ":"],
  across: ["-", "."],
  joints: { 5: "'", 6: ",", 7: "+", 9: "`", 10: ",", 11: "+", 13: "'", 14: ",", 15: "+" },
};

interface Lane {
  readonly key: string;
  /** Those still to come, and whether they are dotted. */
  readonly targets: Map<number, boolean>;
  /** All its lines are. */
  readonly dotted: boolean;
  readonly hasOneTarget: boolean;
  sources: number;
}

/** Nothing when more lanes are needed than are allowed. */
export function layOutLanes(
  lines: readonly (readonly Line[])[],
  order: readonly number[],
  mostLanes: number,
  signs: LaneSigns,
): Lanes | undefined {
  const layout = new LaneLayout(lines, signs);
  const rows: LaneRow[] = [];
  for (const block of order) {
    rows.push(layout.place(block));
    if (layout.lanesUsed > mostLanes) return undefined;
  }
  return { rows, width: 2 * layout.lanesUsed };
}

class LaneLayout {
  lanesUsed = 0;
  readonly #lines: readonly (readonly Line[])[];
  readonly #signs: LaneSigns;
  readonly #keys: readonly string[];
  readonly #targets: Map<number, boolean>[];
  /** How many blocks of a key are still to be placed. */
  readonly #toCome = new Map<string, number>();
  readonly #lanes: (Lane | undefined)[] = [];
  #last: { readonly block: number; readonly column: number } | undefined;

  constructor(lines: readonly (readonly Line[])[], signs: LaneSigns) {
    this.#lines = lines;
    this.#signs = signs;
    this.#keys = laneKeys(lines);
    this.#targets = lines.map(() => new Map());
    for (const [block, own] of lines.entries()) {
      for (const { on, dotted } of own) this.#targets[on]?.set(block, dotted);
    }
    for (const key of this.#keys) this.#toCome.set(key, (this.#toCome.get(key) ?? 0) + 1);
  }

  place(block: number): LaneRow {
    const key = this.#keys[block] ?? "";
    this.#toCome.set(key, (this.#toCome.get(key) ?? 0) - 1);
    const inputs = [...this.#lanes.keys()].filter((column) => this.#lanes[column]?.targets.has(block));
    const { column, joins } = this.#findColumn(block, inputs, key);
    const above = this.#drawAbove(block, inputs, column);
    for (const input of inputs) if (input > column) this.#lanes[input] = undefined;
    const before = [...this.#lanes];
    const connected = new Map<number, boolean>();
    for (const input of inputs) {
      const lane = this.#lanes[input];
      if (lane === undefined) continue;
      if (input !== column) connected.set(input, lane.targets.get(block) === true);
      lane.targets.delete(block);
      if (lane.targets.size === 0) this.#lanes[input] = undefined;
    }
    const output = this.#lead(block, key, column, joins);
    if (output !== undefined && output !== column) connected.set(output, this.#lanes[output]?.dotted === true);
    this.lanesUsed = Math.max(this.lanesUsed, this.#lanes.length, column + 1);
    this.#last = { block, column };
    const lanes = this.#drawRow(before, connected, column, this.#signs.block);
    return { block, lanes, below: this.#drawBelow(), ...(above === undefined ? {} : { above }) };
  }

  /** Where the block stands, and whether what it leads to goes into a lane beside it. */
  #findColumn(block: number, inputs: readonly number[], key: string): { column: number; joins?: number | "new" } {
    const rightmost = inputs.at(-1) ?? -1;
    const shared = key === "" ? -1 : this.#lanes.findIndex((lane) => lane?.key === key);
    if (shared > rightmost) {
      const column = this.#freeColumn(inputs, rightmost);
      if (column < shared) return { column, joins: shared };
    }
    const isShared = key !== "" && shared < 0 && (this.#toCome.get(key) ?? 0) > 0;
    if (isShared) return { column: this.#freeColumn(inputs, rightmost), joins: "new" };
    const goesOn = inputs.findLast((column) => (this.#lanes[column]?.targets.size ?? 0) > 1) ?? -1;
    const last = this.#freeColumn(inputs, rightmost);
    let best = this.#freeColumn(inputs, goesOn);
    for (let column = best; column <= last; column = this.#freeColumn(inputs, column + 1)) {
      if (this.#costOf(column, block, inputs) < this.#costOf(best, block, inputs)) best = column;
    }
    return { column: best };
  }

  /** Rows cost, columns as well, and a line that goes straight down is easier to read than one that turns. */
  #costOf(column: number, block: number, inputs: readonly number[]): number {
    const turns = (inputs.at(-1) ?? -1) > column;
    const needsRow = turns || this.#isRightBelow(block, inputs, column);
    return (needsRow ? 1 : 0) + (turns ? 0.7 : 0) + 0.6 * column;
  }

  /** Whether it would stand right below a block that it waits for. */
  #isRightBelow(block: number, inputs: readonly number[], column: number): boolean {
    const last = this.#last;
    if (last?.column !== column || !inputs.includes(column)) return false;
    return (this.#lines[block] ?? []).some(({ on }) => on === last.block);
  }

  /** The first from `least` on that no lane is in, or one that ends right here. */
  #freeColumn(inputs: readonly number[], least: number): number {
    let column = Math.max(0, least);
    while (this.#lanes[column] !== undefined && !(inputs.includes(column) && this.#lanes[column]?.hasOneTarget))
      column++;
    return column;
  }

  #drawAbove(block: number, inputs: readonly number[], column: number): LaneRow["above"] {
    const turning = inputs.filter((input) => input > column);
    if (turning.length === 0) {
      return this.#isRightBelow(block, inputs, column)
        ? { lanes: this.#drawBelow(), unlessThereIsOne: true }
        : undefined;
    }
    const before = [...this.#lanes];
    const connected = new Map(turning.map((input) => [input, before[input]?.targets.get(block) === true]));
    for (const input of turning) this.#lanes[input] = undefined;
    const corner = this.#signs.joints[before[column] === undefined ? 10 : 11] ?? "";
    const lanes = this.#drawRow(before, connected, column, corner);
    for (const input of turning) this.#lanes[input] = before[input];
    return { lanes, unlessThereIsOne: false };
  }

  /** Gives the lane of what the block leads to. */
  #lead(block: number, key: string, column: number, joins?: number | "new"): number | undefined {
    if (key === "") return undefined;
    if (typeof joins === "number") {
      const lane = this.#lanes[joins];
      if (lane !== undefined) lane.sources++;
      return joins;
    }
    let at = column;
    if (joins === "new")
      do at++;
      while (this.#lanes[at] !== undefined);
    const targets = new Map(this.#targets[block]);
    const dotted = [...targets.values()].every((isDotted) => isDotted);
    this.#lanes[at] = { key, targets, dotted, hasOneTarget: targets.size === 1, sources: 1 };
    return at;
  }

  /** From how the lanes were `before` to how they are now; `sign` stands where the lines come together. */
  #drawRow(
    before: readonly (Lane | undefined)[],
    connected: ReadonlyMap<number, boolean>,
    column: number,
    sign: string,
  ): string {
    const ends = [...connected.keys(), column].sort((a, b) => a - b);
    const [first = column, last = column] = [ends[0], ends.at(-1)];
    // Between a lane and the block a line looks as that lane's does.
    const across = (at: number): string => {
      const from = at < column ? ends.findLast((end) => end <= at) : ends.find((end) => end > at);
      return this.#signs.across[connected.get(from ?? -1) ? 1 : 0];
    };
    let row = "";
    for (let at = 0; at < Math.max(before.length, this.#lanes.length, column + 1); at++) {
      const lane = before[at] ?? this.#lanes[at];
      if (at === column) row += sign;
      else if (connected.has(at)) row += this.#joint(before[at], this.#lanes[at], at > first, at < last);
      else if (lane !== undefined) row += this.#down(lane);
      else row += at > first && at < last ? across(at) : " ";
      row += at >= first && at < last ? across(at) : " ";
    }
    return row.trimEnd();
  }

  #joint(above: Lane | undefined, below: Lane | undefined, left: boolean, right: boolean): string {
    const meets = (above === undefined ? 0 : 1) + (below === undefined ? 0 : 2) + (left ? 4 : 0) + (right ? 8 : 0);
    return this.#signs.joints[meets] ?? "";
  }

  #drawBelow(): string {
    return Array.from(this.#lanes, (lane) => `${lane === undefined ? " " : this.#down(lane)} `)
      .join("")
      .trimEnd();
  }

  #down(lane: Lane): string {
    return this.#signs.down[lane.dotted ? 1 : 0];
  }
}
