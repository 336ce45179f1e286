import type { JSX } from "preact";
import { BoxGraph, type GraphProps } from "./graph/box-graph.tsx";

/** What runs after what, from left to right: a box for each block. */
export function Graph(props: GraphProps): JSX.Element {
  return <BoxGraph {...props} />;
}
