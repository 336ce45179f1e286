import type { BlockCard, Level, LevelChange } from "../../views/page/page-records.ts";

/** A level with a change in it: each record takes the place of the one with the same address; what is new comes after the others. */
export function applyChange(level: Level, change: LevelChange): Level {
  const { head, of, blocks, edges, passes } = change;
  return {
    ...level,
    head,
    blocks: replaceByAddress(level.blocks, blocks),
    ...(of === undefined ? {} : { of }),
    ...(edges === undefined ? {} : { edges }),
    ...(passes === undefined ? {} : { passes }),
  };
}

function replaceByAddress(cards: readonly BlockCard[], changed: readonly BlockCard[]): readonly BlockCard[] {
  if (changed.length === 0) return cards;
  const later = new Map(changed.map((card) => [card.address, card]));
  const replaced = cards.map((card) => {
    const found = later.get(card.address);
    later.delete(card.address);
    return found ?? card;
  });
  return later.size === 0 ? replaced : [...replaced, ...later.values()];
}
