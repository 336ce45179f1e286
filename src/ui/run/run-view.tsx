import type { JSX } from "preact";
import { useApp } from "../app-context.ts";
import type { ApiProblem } from "../data/source.ts";
import { placeOfBlock, type RunPlace } from "../place.ts";
import { Header } from "../shell/header.tsx";
import { Lost } from "../shell/lost.tsx";
import { BlockList } from "./block-list.tsx";
import { Counts, nextBlock } from "./counts.tsx";
import { LevelHead, RunHead } from "./run-head.tsx";
import { RunMissing } from "./run-missing.tsx";
import { trailOf } from "./trail.ts";
import { useLevel } from "./use-level.ts";
import "./run-view.css";

/** A run, or what is inside one of its blocks. */
export function RunView({ place }: { readonly place: RunPlace }): JSX.Element {
  const { go } = useApp();
  const { runId } = place;
  const { level, problem } = useLevel(runId, place.level);
  const select = (address: string): void =>
    go(placeOfBlock(runId, address), place.block === undefined ? undefined : "replace");
  return (
    <div class="run-view">
      <Header trail={trailOf(place, level)} />
      <Lost />
      <main id="main">
        {problem !== undefined && <RunMissing place={place} problem={problem as ApiProblem} />}
        {level !== undefined && (
          <>
            <RunHead head={level.head} />
            {level.of !== undefined && <LevelHead of={level.of} runId={runId} />}
            <Counts
              level={level}
              choose={(standing) => {
                const next = nextBlock(level.blocks, [standing], place.block);
                if (next !== undefined) select(next.address);
              }}
            />
            <BlockList level={level} selected={place.block} select={select} order="state" />
          </>
        )}
      </main>
    </div>
  );
}
