import type { RunState } from "../../../src/engine/state.ts";
import type { Edit } from "./edit-case.ts";
import { type FoundBlock, findBlocks, readsOf } from "./find-blocks.ts";
import type { Case } from "./make-case.ts";

/**
 * The blocks that have a reason to run, by what can be reached from what was edited, and from what had not ended well before. It knows
 * blocks and not passes, so it allows a little too much in loops.
 */
export function mayRun(now: Case, edits: readonly Edit[], before: RunState): ReadonlySet<string> {
  const blocks = findBlocks(now);
  const marks = new Marks(blocks);
  for (const { touched, gives } of edits) {
    for (const id of touched) marks.own.add(id);
    for (const id of gives) marks.inside.add(id);
  }
  for (const id of unfinished(before)) marks.own.add(id);
  while (marks.spread());
  return new Set([...[...blocks.keys()].filter((id) => marks.isReached(id)), ...runsAlways(now)]);
}

/** What says so itself, or is in something that does. */
export function notReusable(now: Case): ReadonlySet<string> {
  const blocks = findBlocks(now);
  return new Set([...blocks.keys()].filter((id) => saysReuse(id, blocks) === false));
}

/** What runs in every rerun, and what cleans up after it. */
export function runsAlways(now: Case): ReadonlySet<string> {
  const blocks = findBlocks(now);
  const always = notReusable(now);
  const isWithin = (id: string | undefined, around: ReadonlySet<string>): boolean =>
    id !== undefined && (around.has(id) || isWithin(blocks.get(id)?.parent, around));
  const cleaning = [...blocks.values()].filter(({ isFinally, workflow }) => {
    const main = new Set(workflow.blocks.map(({ id }) => id));
    return isFinally && [...always].some((id) => isWithin(id, main));
  });
  const around = new Set(cleaning.map(({ block }) => block.id));
  return new Set([...always, ...[...blocks.keys()].filter((id) => isWithin(id, around))]);
}

function saysReuse(id: string | undefined, blocks: ReadonlyMap<string, FoundBlock>): unknown {
  const found = id === undefined ? undefined : blocks.get(id);
  if (found === undefined) return undefined;
  return found.block.reuse ?? saysReuse(found.parent, blocks);
}

/** Every block with a pass or a part that is no success. */
function unfinished({ nodes }: RunState): Set<string> {
  const bad = [...nodes.values()].filter(({ record, ended }) => !ended || !record.metadata.succeeded);
  return new Set(bad.flatMap(({ block }) => (block === undefined ? [] : [block.definition.id])));
}

class Marks {
  /** It has a reason itself, and with it everything in it. */
  readonly own = new Set<string>();
  /** Something in it has. */
  readonly inside = new Set<string>();
  readonly #blocks: ReadonlyMap<string, FoundBlock>;

  constructor(blocks: ReadonlyMap<string, FoundBlock>) {
    this.#blocks = blocks;
  }

  isReached(id: string): boolean {
    return this.own.has(id) || this.inside.has(id);
  }

  spread(): boolean {
    const before = this.own.size + this.inside.size;
    for (const [id, found] of this.#blocks) {
      const { parent, block } = found;
      if ([...readsOf(found)].some((on) => this.isReached(on))) this.own.add(id);
      if (parent !== undefined && this.own.has(parent)) this.own.add(id);
      if (parent !== undefined && this.isReached(id)) this.inside.add(parent);
      // Each pass builds on the one before, and another attempt begins afresh.
      const isWhole = block.repeat !== undefined || block.retry !== undefined;
      if (isWhole && this.inside.has(id)) this.own.add(id);
      if (found.isFinally && this.#ranBeside(found)) this.own.add(id);
    }
    return this.own.size + this.inside.size > before;
  }

  #ranBeside({ workflow }: FoundBlock): boolean {
    return workflow.blocks.some(({ id }) => this.isReached(id));
  }
}
