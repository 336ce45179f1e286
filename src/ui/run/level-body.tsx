import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Level, PageStanding } from "../../views/page/page-records.ts";
import { OneOf } from "../look/one-of.tsx";
import { BlockList } from "./block-list.tsx";
import { Counts, nextBlock } from "./counts.tsx";
import { Graph } from "./graph.tsx";
import { LoopView } from "./loop-view.tsx";
import { MiniGraph } from "./mini-graph.tsx";
import { Outputs } from "./outputs.tsx";
import { LevelHead } from "./run-head.tsx";
import { Timeline } from "./timeline.tsx";

interface LevelBodyProps {
  readonly level: Level;
  readonly selected: string | undefined;
  select(address: string): void;
  stepIn(address: string): void;
  readonly isNarrow: boolean;
}

/** What is inside a run or a block: how many stand how, the graph or the passes, and when each ran. */
export function LevelBody(props: LevelBodyProps): JSX.Element {
  const { level, selected, select, stepIn, isNarrow } = props;
  const { head, of } = level;
  const choose = (standing: PageStanding): void => {
    const next = nextBlock(level.blocks, [standing], selected);
    if (next !== undefined) select(next.address);
  };
  return (
    <>
      {of !== undefined && <LevelHead of={of} runId={head.run_id} />}
      {level.holds === "loop" ? (
        <LoopView runId={head.run_id} level={level} selected={selected} select={select} stepIn={stepIn} />
      ) : isNarrow ? (
        <NarrowBlocks {...props} />
      ) : (
        <>
          <Counts level={level} choose={choose} />
          <Graph
            blocks={level.blocks}
            edges={level.edges}
            selected={selected}
            select={select}
            stepIn={stepIn}
            label={`Blocks of ${of?.name ?? head.workflow}`}
          />
          <Timeline level={level} selected={selected} select={select} />
        </>
      )}
      {of === undefined && head.outputs !== undefined && <Outputs outputs={head.outputs} />}
    </>
  );
}

const ways = [
  ["state", "By state"],
  ["file", "In order"],
  ["graph", "Graph"],
] as const;

/** On a narrow screen the blocks are a list; the graph is small above it, or whole. */
function NarrowBlocks({ level, selected, select, stepIn }: LevelBodyProps): JSX.Element {
  const [way, setWay] = useState<(typeof ways)[number][0]>("state");
  return (
    <>
      {way !== "graph" && <MiniGraph level={level} />}
      <fieldset class="run-view-ways" aria-label="Show blocks">
        <OneOf options={ways} chosen={way} choose={setWay} />
      </fieldset>
      {way === "graph" ? (
        <Graph
          blocks={level.blocks}
          edges={level.edges}
          selected={selected}
          select={select}
          stepIn={stepIn}
          label={`Blocks of ${level.of?.name ?? level.head.workflow}`}
        />
      ) : (
        <BlockList level={level} selected={selected} order={way} />
      )}
    </>
  );
}
