import type { EdgeBuilder } from "./build-edges.ts";
import type { Edge, OuterEdge } from "./plan.ts";

/** What the groups around some blocks say of the blocks further out, by their ids. */
export interface Surroundings {
  /**
   * Depended on by a group that runs nevertheless, because a condition inside it asks how that went: so every block in it that does
   * not ask is held to the dependency, as it would be outside. The value is whether it is required.
   */
  readonly asked: ReadonlyMap<string, boolean>;
  /** The group has decided about it for all that is inside. */
  readonly settled: ReadonlySet<string>;
}

export const noSurroundings: Surroundings = { asked: new Map(), settled: new Set() };

/**
 * What a block in a group asks of blocks around the group. The group waits for them; where it runs all the same because something
 * else in it can do without, the block is skipped by the rule that holds for it anywhere else.
 */
export function outerEdges(builder: EdgeBuilder, index: number, { asked, settled }: Surroundings): OuterEdge[] {
  if (builder.holder === undefined) return [];
  const own = builder.demands(builder.ownReferences(index));
  const inside = builder.demands(builder.leadingOut(index));
  const mentioned = builder.mentionedIds(index);
  const mentionedInside = builder.mentionedInside(index);
  const edges: OuterEdge[] = [];
  for (const id of new Set([...asked.keys(), ...own.keys(), ...inside.keys()])) {
    const target = builder.locate(id);
    if (target === undefined || target.levels === 0 || mentioned.has(id)) continue;
    if (builder.asksForNothing(index, target)) continue;
    if (mentionedInside.has(id) && !own.has(id)) continue;
    const demand = own.get(id) ?? inside.get(id);
    const required = asked.get(id) ?? (settled.has(id) || demand === undefined ? undefined : !demand.mentionsState);
    if (required !== undefined) edges.push({ levels: target.levels, on: target.index, required });
  }
  return edges;
}

/** What a group says for the blocks inside it. `declared` are the edges that its author wrote. */
export function surroundingsInside(
  builder: EdgeBuilder,
  index: number,
  around: Surroundings,
  declared: readonly Edge[],
): Surroundings {
  const mentioned = builder.mentionedIds(index);
  const mentionedInside = builder.mentionedInside(index);
  const asked = new Map<string, boolean>();
  const settled = new Set([...around.settled, ...mentioned]);
  const depend = (id: string, required: boolean): void => {
    if (!mentioned.has(id) && mentionedInside.has(id)) asked.set(id, required);
    else settled.add(id);
  };
  for (const [id, required] of around.asked) depend(id, required);
  for (const { on, required } of declared) depend(builder.definition.blocks[on]?.id ?? "", required);
  for (const id of builder.demands(builder.leadingOut(index)).keys()) {
    const on = builder.indexOf.get(id);
    if (on !== undefined && !asked.has(id) && builder.isUpstream(index, on)) settled.add(id);
  }
  return { asked, settled };
}
