import type { BlockForecast } from "../views/dry-run.ts";

/**
 * What would be reused whole, with everything inside it, is one thing; such things beside each other come as one group. Everything else
 * is a group for itself. Expects blocks in the order of the file, what is inside a block after it.
 */
export function foldForecast(blocks: readonly BlockForecast[]): BlockForecast[][] {
  const ends = subtreeEnds(blocks);
  const isWhole = blocks.map(() => false);
  for (let index = blocks.length - 1; index >= 0; index--) isWhole[index] = isReusedWhole(blocks, ends, isWhole, index);
  const groups: BlockForecast[][] = [];
  let last: string | undefined;
  for (let index = 0; index < blocks.length; ) {
    const block = blocks[index] as BlockForecast;
    if (!isWhole[index]) {
      groups.push([block]);
      last = undefined;
      index++;
      continue;
    }
    const { inputs: _, not_reused: __, not_run: ___, ...rest } = block;
    const around = block.block.slice(0, block.block.lastIndexOf("/") + 1);
    const reused: BlockForecast = { ...rest, verdict: "would be reused" };
    if (last === around) groups.at(-1)?.push(reused);
    else groups.push([reused]);
    last = around;
    index = ends[index] as number;
  }
  return groups;
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
