import type { Shape } from "../../../drawing/graph/drawn-graph.ts";
import type { BlockCard, PageEdge } from "../../../views/page/page-records.ts";
import { nameEdge } from "../apply-change.ts";
import { textWidth } from "./text-width.ts";

const leastWidth = 76;
const mostWidth = 176;
export const boxHeight = 40;
export const boxHeightWithCells = 60;
/** What holds blocks looks like a stack of cards: those behind it need room, too. */
export const stackHeight = 6;
export const textLeft = 32;
export const textRight = 10;
export const nameSize = 13;
export const lineSize = 11;

/** The sizes of blocks by what will be written in them, not by what is: a block that begins must not push others away. */
export function shapeOf(blocks: readonly BlockCard[], edges: readonly PageEdge[], isPlan: boolean): Shape {
  return {
    boxes: blocks.map((card) => ({
      id: card.address,
      width: widthOf(card, isPlan),
      height: (card.holds === "none" || isPlan ? boxHeight : boxHeightWithCells) + (isStacked(card) ? stackHeight : 0),
      isFinally: card.is_finally === true,
    })),
    edges: edges.map(({ from, to }) => ({ from, to })),
  };
}

function isStacked({ holds }: BlockCard): boolean {
  return holds === "workflow" || holds === "group";
}

/** Names and edges: blocks that only change how they stand keep their layout. */
export function keyOfShape(blocks: readonly BlockCard[], edges: readonly PageEdge[]): string {
  return `${blocks.map(({ address }) => address).join("\n")}\n\n${edges.map(nameEdge).join("\n")}`;
}

function widthOf(card: BlockCard, isPlan: boolean): number {
  const corner = card.holds === "none" ? 0 : 30;
  const name = textWidth(card.name, nameSize) + corner;
  const text = Math.max(name, textWidth("n".repeat(lineLength(card, isPlan)), lineSize));
  return Math.ceil(Math.min(mostWidth, Math.max(leastWidth, textLeft + text + textRight)));
}

/** How many characters its second line may need at most. */
function lineLength(card: BlockCard, isPlan: boolean): number {
  if (card.holds === "loop" || card.condition !== undefined) return 18;
  if (isPlan) return Math.min(18, Math.max(card.type.length, (card.most_attempts ?? 1) > 1 ? 13 : 0));
  if ((card.most_attempts ?? 1) > 1) return 15;
  if (card.type === "Wait") return 16;
  if (card.type === "Prompt") return 13;
  return card.holds === "none" ? 11 : 16;
}
