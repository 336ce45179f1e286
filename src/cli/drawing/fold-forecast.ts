import type { BlockForecast } from "../../views/dry-run.ts";

/** Blocks that are told of together: what would be reused, and passes of a loop that would run for the reasons of the pass before them. */
export interface ForecastGroup {
  readonly kind: "alone" | "reused" | "alike";
  readonly blocks: BlockForecast[];
}

/**
 * What would be reused whole, with everything inside it, is one thing; such things beside each other come as one group. So do passes
 * that run for the same reasons as the first of them. Everything else is a group for itself. Expects blocks in the order of the file,
 * what is inside a block after it.
 */
export function foldForecast(blocks: readonly BlockForecast[]): ForecastGroup[] {
  const ends = subtreeEnds(blocks);
  const isWhole = blocks.map(() => false);
  for (let index = blocks.length - 1; index >= 0; index--) isWhole[index] = isReusedWhole(blocks, ends, isWhole, index);
  const groups: ForecastGroup[] = [];
  /** What the next block has to be to belong to the last group. */
  let last: string | undefined;
  const add = (kind: ForecastGroup["kind"], block: BlockForecast, key: string | undefined): void => {
    if (key !== undefined && key === last) groups.at(-1)?.blocks.push(block);
    else groups.push({ kind, blocks: [block] });
    last = key;
  };
  /** Of each loop, how the pass before runs. */
  const passes = new Map<string, string>();
  for (let index = 0; index < blocks.length; ) {
    const block = blocks[index] as BlockForecast;
    const end = ends[index] as number;
    const around = block.block.slice(0, block.block.lastIndexOf("/") + 1);
    if (isWhole[index]) {
      const { inputs: _, not_reused: __, not_run: ___, ...rest } = block;
      add("reused", { ...rest, verdict: "would be reused" }, `reused ${around}`);
      index = end;
      continue;
    }
    const reasons = block.element === undefined ? undefined : reasonsOf(blocks.slice(index, end));
    if (reasons !== undefined && passes.get(around) === reasons) {
      add("alike", block, `alike ${around}`);
      index = end;
      continue;
    }
    if (reasons !== undefined) passes.set(around, reasons);
    add("alone", block, undefined);
    index++;
  }
  return groups;
}

/** Why a pass, and what is in it, would run again; nothing where it is no rerun that is foreseen. */
function reasonsOf(pass: readonly BlockForecast[]): string | undefined {
  if (!pass.some(({ not_reused }) => not_reused !== undefined)) return undefined;
  const start = pass[0]?.block.length ?? 0;
  return JSON.stringify(
    pass.map(({ block, verdict, why, remarks, not_reused }) => [block.slice(start), verdict, why, remarks, not_reused]),
  );
}

/** Of each block the position after the last one inside it. */
function subtreeEnds(blocks: readonly BlockForecast[]): number[] {
  const ends: number[] = [];
  for (let index = blocks.length - 1; index >= 0; index--) {
    const inside = `${blocks[index]?.block}/`;
    let end = index + 1;
    while (blocks[end]?.block.startsWith(inside)) end = ends[end] as number;
    ends[index] = end;
  }
  return ends;
}

function isReusedWhole(
  blocks: readonly BlockForecast[],
  ends: readonly number[],
  isWhole: readonly boolean[],
  index: number,
): boolean {
  const block = blocks[index];
  if (block?.verdict === "would be reused") return true;
  const end = ends[index] as number;
  if (block?.verdict !== "would run" || end === index + 1) return false;
  for (let child = index + 1; child < end; child = ends[child] as number) if (!isWhole[child]) return false;
  return true;
}
