import type { BlockDefinition } from "../definition/workflow-definition.ts";
import { suggestName } from "../diagnostic/did-you-mean.ts";
import type { EdgeBuilder } from "./build-edges.ts";

/** What to write instead of an id that means no block at this place: it may be one inside another. */
export function fixReference(id: string, at: EdgeBuilder): string {
  const way = findWay(id, at);
  if (way === undefined) return suggestName(id, visibleIds(at), "block");
  const path = way.map(
    (block) => `.blocks.${block.id}${isLoop(block) && block !== way.at(-1) ? ".blocks['KEY']" : ""}`,
  );
  return `It is inside '${way.at(-2)?.id}': write ${path.join("").slice(1)}.`;
}

/** The same under `depends_on`, which names blocks beside it alone. */
export function fixDependency(id: string, at: EdgeBuilder): string {
  const [first, second] = findWayBelow(id, at.definition.blocks) ?? [];
  if (first === undefined || second === undefined) return suggestName(id, at.indexOf.keys(), "block");
  return `It is inside '${first.id}': write \`depends_on: [${first.id}]\`.`;
}

/** Whether a block of that id is inside one of these. */
export function isInside(id: string, at: EdgeBuilder): boolean {
  return findWayBelow(id, at.definition.blocks) !== undefined;
}

function isLoop({ forEach, repeat }: BlockDefinition): boolean {
  return forEach !== undefined || repeat !== undefined;
}

function* visibleIds(at: EdgeBuilder): Generator<string> {
  yield* at.indexOf.keys();
  if (at.holder !== undefined) yield* visibleIds(at.holder.builder);
}

function findWay(id: string, at: EdgeBuilder): readonly BlockDefinition[] | undefined {
  return (
    findWayBelow(id, at.definition.blocks) ?? (at.holder === undefined ? undefined : findWay(id, at.holder.builder))
  );
}

/** From the block that can be read to the one of the id, which lies inside it. */
function findWayBelow(id: string, blocks: readonly BlockDefinition[]): readonly BlockDefinition[] | undefined {
  for (const block of blocks) {
    if (block.id === id) return [block];
    const way = block.group === undefined ? undefined : findWayBelow(id, block.group.blocks);
    if (way !== undefined) return [block, ...way];
  }
  return undefined;
}
