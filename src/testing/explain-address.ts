import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { BlockRecord } from "../views/block-records.ts";

type Place = Pick<BlockRecord, "path" | "name" | "holds">;

/** Why no block of the workflow can be meant by an address; nothing when one is, or would be had the run got there. */
export function explainAddress(address: string, blocks: readonly BlockRecord[]): string | undefined {
  const inside = groupBlocks(blocks);
  let around = "the workflow";
  let places: readonly Place[] = [{ path: "", name: "", holds: "blocks" }];
  for (const part of address.split("/")) {
    const children = places.flatMap(({ path }) => inside.get(path) ?? []);
    if (children.length === 0) {
      return places.some(({ holds }) => holds !== "nothing") ? undefined : `There are no blocks in ${around}.`;
    }
    const meant =
      part === "*" ? children : children.filter(({ path }) => path.slice(path.lastIndexOf("/") + 1) === part);
    if (meant.length === 0) {
      const known = [...new Set(children.map(({ name }) => name))];
      return `There is no block '${part}' in ${around}. ${suggestName(part, known, "block")}`;
    }
    places = meant;
    around = `'${meant[0]?.path}'`;
  }
  return undefined;
}

/** By the address of what holds them. */
function groupBlocks(blocks: readonly BlockRecord[]): ReadonlyMap<string, readonly BlockRecord[]> {
  const groups = new Map<string, BlockRecord[]>();
  for (const block of blocks) {
    const around = block.path.slice(0, Math.max(0, block.path.lastIndexOf("/")));
    const group = groups.get(around);
    if (group === undefined) groups.set(around, [block]);
    else group.push(block);
  }
  return groups;
}
