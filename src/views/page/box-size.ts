import {
  boxHeight,
  boxHeightWithCells,
  lineSize,
  nameSize,
  stackHeight,
  textLeft,
  textRight,
} from "../../drawing/graph/box-sizes.ts";
import { textWidth } from "../../drawing/graph/text-width.ts";
import type { BlockCard } from "./page-records.ts";

const leastWidth = 76;
const mostWidth = 176;

type Sized = Pick<BlockCard, "name" | "type" | "holds" | "condition" | "most_attempts">;

/** The size of a block by what will be written in it, not by what is: a block that begins must not push others away. */
export function sizeOf(card: Sized, isPlan: boolean): NonNullable<BlockCard["size"]> {
  const { holds, name } = card;
  const text = Math.max(
    textWidth(name, nameSize) + (holds === "none" ? 0 : 30),
    textWidth("n".repeat(lineLength(card, isPlan)), lineSize),
  );
  const isStacked = holds === "workflow" || holds === "group";
  return {
    width: Math.ceil(Math.min(mostWidth, Math.max(leastWidth, textLeft + text + textRight))),
    height: (holds === "none" || isPlan ? boxHeight : boxHeightWithCells) + (isStacked ? stackHeight : 0),
  };
}

/** How many characters its second line may need at most. */
function lineLength({ type, holds, condition, most_attempts: attempts = 1 }: Sized, isPlan: boolean): number {
  if (holds === "loop" || condition !== undefined) return 18;
  if (isPlan) return Math.min(18, Math.max(type.length, attempts > 1 ? 13 : 0));
  if (attempts > 1) return 15;
  if (type === "Wait") return 16;
  if (type === "Prompt") return 13;
  return holds === "none" ? 11 : 16;
}
