import type { BlockCard, Level, LevelChange, PageEdge } from "../../views/page/page-records.ts";

/** A level with a change in it: each record takes the place of the one with the same address; what is new comes after the others. */
export function applyChange(level: Level, change: LevelChange): Level {
  const { head, of, blocks, order, edges, passes } = change;
  return {
    ...level,
    head,
    blocks: arrange(
      replace(level.blocks, blocks, ({ address }) => address),
      order,
    ),
    ...(of === undefined ? {} : { of }),
    ...(edges === undefined ? {} : { edges: replace(level.edges, edges, nameEdge) }),
    ...(passes === undefined ? {} : { passes }),
  };
}

/** No two edges of a graph join the same two blocks. */
export function nameEdge({ from, to }: Pick<PageEdge, "from" | "to">): string {
  return `${from} ${to}`;
}

function replace<Item>(
  items: readonly Item[],
  changed: readonly Item[],
  nameOf: (item: Item) => string,
): readonly Item[] {
  if (changed.length === 0) return items;
  const later = new Map(changed.map((item) => [nameOf(item), item]));
  const replaced = items.map((item) => {
    const found = later.get(nameOf(item));
    later.delete(nameOf(item));
    return found ?? item;
  });
  return later.size === 0 ? replaced : [...replaced, ...later.values()];
}

/** What is not in the order is gone. */
function arrange(cards: readonly BlockCard[], order: readonly string[] | undefined): readonly BlockCard[] {
  if (order === undefined) return cards;
  const byAddress = new Map(cards.map((card) => [card.address, card]));
  return order.flatMap((address) => byAddress.get(address) ?? []);
}
