import { pathOf } from "../../engine/address.ts";
import type { BlockCard, Level, LevelChange, PageEdge } from "./page-records.ts";
import type { RunPicture } from "./run-picture.ts";

/** What a reader of a level has, to tell it what has changed since and nothing else. */
export class LevelChanges {
  #cards = new Map<string, BlockCard>();
  #order: readonly string[] = [];
  #edges = new Map<string, string>();
  #of: BlockCard | undefined;
  #head = "";
  #passes = "";

  /** The reader has been told all of it. */
  remember(level: Level): void {
    this.#cards = new Map(level.blocks.map((card) => [card.address, card]));
    this.#order = level.blocks.map(({ address }) => address);
    this.#edges = new Map(level.edges.map((edge) => [nameEdge(edge), textOfEdge(edge)]));
    this.#of = level.of;
    this.#head = textOfHead(level);
    this.#passes = JSON.stringify(level.passes ?? null);
  }

  /** Nothing when nothing has changed that is shown. */
  tell(level: Level): LevelChange | undefined {
    const { head, of, passes } = level;
    const blocks = level.blocks.filter((card) => !isSame(this.#cards.get(card.address), card));
    const isOther =
      level.blocks.length !== this.#order.length ||
      level.blocks.some(({ address }, index) => address !== this.#order[index]);
    const edges = level.edges.filter((edge) => this.#edges.get(nameEdge(edge)) !== textOfEdge(edge));
    const isOfOther = of !== undefined && !isSame(this.#of, of);
    const hasPasses = passes !== undefined && this.#passes !== JSON.stringify(passes);
    const isNothing = blocks.length === 0 && !isOther && edges.length === 0 && !isOfOther && !hasPasses;
    if (isNothing && textOfHead(level) === this.#head) return undefined;
    this.remember(level);
    return {
      head,
      ...(isOfOther ? { of } : {}),
      blocks,
      ...(isOther ? { order: this.#order } : {}),
      ...(edges.length === 0 ? {} : { edges }),
      ...(hasPasses ? { passes } : {}),
    };
  }

  /** For a reader who comes back, and has seen everything up to a number. */
  tellSince(level: Level, picture: RunPicture, sequence: number): LevelChange {
    this.remember(level);
    const { head, of, edges } = level;
    return { head, ...(of === undefined ? {} : { of }), blocks: changedSince(level, picture, sequence), edges };
  }
}

/** A process that dies leaves no event, so what goes on is told again. */
function changedSince({ blocks }: Level, picture: RunPicture, sequence: number): BlockCard[] {
  return blocks.filter(({ address, standing }) => {
    return goesOn.has(standing) || picture.touchedAt(pathOf(address)) > sequence;
  });
}

const goesOn: ReadonlySet<string> = new Set(["running", "asks", "sleeping", "interrupted"]);

/** A card that was not made anew is the same object. */
function isSame(before: BlockCard | undefined, now: BlockCard): boolean {
  return before === now || (before !== undefined && JSON.stringify(before) === JSON.stringify(now));
}

function nameEdge({ from, to }: PageEdge): string {
  return `${from} ${to}`;
}

function textOfEdge({ kind, decided, is_critical: isCritical }: PageEdge): string {
  return `${kind} ${decided} ${isCritical === true}`;
}

/** Its number alone is nothing to tell. */
function textOfHead({ head }: Level): string {
  return JSON.stringify({ ...head, sequence: 0 });
}
