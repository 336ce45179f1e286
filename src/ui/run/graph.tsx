import type { JSX } from "preact";
import { BoxGraph, type GraphProps } from "./graph/box-graph.tsx";
import { GroupGraph } from "./graph/group-graph.tsx";
import { mostBoxes } from "./graph/groups.ts";

/** What runs after what, from left to right: a box for each block, and of many blocks groups. */
export function Graph(props: GraphProps): JSX.Element {
  return props.blocks.length > mostBoxes ? <GroupGraph {...props} /> : <BoxGraph {...props} />;
}
