import type { BlockDefinition } from "./workflow-definition.ts";

/** Blocks in the order of the file, each before what undoes it and those that are written inside it. */
export function* allBlocks({ blocks }: { readonly blocks: readonly BlockDefinition[] }): Generator<BlockDefinition> {
  for (const block of blocks) {
    yield block;
    if (block.undo !== undefined) yield block.undo.definition;
    if (block.group !== undefined) yield* allBlocks(block.group);
  }
}

/** The same with the blocks that hold each, innermost first. */
export function* blocksWithHolders(
  { blocks }: { readonly blocks: readonly BlockDefinition[] },
  holders: readonly BlockDefinition[] = [],
): Generator<{ readonly block: BlockDefinition; readonly holders: readonly BlockDefinition[] }> {
  for (const block of blocks) {
    yield { block, holders };
    if (block.group !== undefined) yield* blocksWithHolders(block.group, [block, ...holders]);
  }
}
