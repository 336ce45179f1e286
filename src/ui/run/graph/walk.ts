import type { Placed } from "../../../drawing/graph/drawn-graph.ts";
import type { PageEdge } from "../../../views/page/page-records.ts";

/** Where an arrow key leads: left and right along edges, up and down within the column. */
export function walk(
  boxes: readonly Placed[],
  edges: readonly PageEdge[],
  from: string,
  key: string,
): string | undefined {
  const box = boxes.find(({ id }) => id === from);
  if (box === undefined) return undefined;
  const middle = middleOf(box);
  const nearest = (candidates: readonly Placed[]): string | undefined =>
    [...candidates].sort((one, other) => distance(one, middle) - distance(other, middle))[0]?.id;
  const among = (ids: readonly string[]): readonly Placed[] => boxes.filter(({ id }) => ids.includes(id));
  const column = boxes.filter(({ x, id }) => x === box.x && id !== from);
  switch (key) {
    case "ArrowLeft":
      return nearest(among(edges.filter(({ to }) => to === from).map((edge) => edge.from)));
    case "ArrowRight":
      return nearest(among(edges.filter((edge) => edge.from === from).map(({ to }) => to)));
    case "ArrowUp":
      return nearest(column.filter((other) => middleOf(other) < middle));
    case "ArrowDown":
      return nearest(column.filter((other) => middleOf(other) > middle));
    default:
      return undefined;
  }
}

function middleOf({ y, height }: Placed): number {
  return y + height / 2;
}

function distance(box: Placed, middle: number): number {
  return Math.abs(middleOf(box) - middle);
}
