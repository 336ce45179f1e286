import type { JSX } from "preact";
import type { Level } from "../../views/page/page-records.ts";
import { emptyGraph, useDrawn } from "../look/use-drawn.ts";
import { nameEdge } from "./apply-change.ts";
import { keyOfShape, shapeOf } from "./graph/shape.ts";
import "./mini-graph.css";

/** More than that is no picture on a small screen. */
const mostBlocks = 60;

/** The shape of a level at a glance: its graph without words. */
export function MiniGraph({ level: { blocks, edges } }: { readonly level: Level }): JSX.Element | null {
  const layout = useDrawn("graph", `false ${keyOfShape(blocks, edges)}`, () => shapeOf(blocks, edges)) ?? emptyGraph;
  if (blocks.length > mostBlocks || blocks.length < 2) return null;
  const { width, height, boxes, routes } = layout;
  const decided = new Map(edges.map((edge) => [nameEdge(edge), edge.decided]));
  const standings = new Map(blocks.map(({ address, standing }) => [address, standing]));
  return (
    <svg class="mini-graph" viewBox={`-2 -2 ${width + 4} ${height + 4}`} aria-hidden="true">
      {routes.map((route) => (
        <path key={nameEdge(route)} class={decided.get(nameEdge(route))} d={`${route.path}h7`} />
      ))}
      {boxes.map(({ id, ...box }) => (
        <rect key={id} class={standings.get(id)} {...box} rx="8" />
      ))}
    </svg>
  );
}
