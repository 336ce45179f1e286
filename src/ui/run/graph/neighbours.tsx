import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { OneOf } from "../../look/one-of.tsx";
import { BoxGraph, type GraphProps } from "./box-graph.tsx";
import { mostBoxes } from "./groups.ts";
import { neighbourhood, type Reach } from "./neighbourhood.ts";

const reaches: readonly (readonly [Reach, string])[] = [
  ["step", "1 step"],
  ["before", "all before"],
  ["after", "all after"],
];

/** One block among many, and what it hangs together with, as boxes. */
export function Neighbours(props: GraphProps & { readonly selected: string }): JSX.Element {
  const { blocks, edges, selected } = props;
  const [reach, setReach] = useState<Reach>("step");
  const ids = useMemo(() => neighbourhood(edges, selected, reach, mostBoxes), [edges, selected, reach]);
  const near = useMemo(() => blocks.filter(({ address }) => ids.has(address)), [blocks, ids]);
  const between = useMemo(() => edges.filter(({ from, to }) => ids.has(from) && ids.has(to)), [edges, ids]);
  const name = blocks.find(({ address }) => address === selected)?.name ?? selected;
  return (
    <section class="graph-near" aria-label={`${name} and what it hangs together with`}>
      <header class="graph-ways">
        <h2>{name} and what it hangs together with</h2>
        <OneOf options={reaches} chosen={reach} choose={setReach} />
      </header>
      {ids.size >= mostBoxes && <p class="faint">Only the nearest {mostBoxes} are shown.</p>}
      <BoxGraph {...props} blocks={near} edges={between} label={`Neighbours of ${name}`} />
    </section>
  );
}
