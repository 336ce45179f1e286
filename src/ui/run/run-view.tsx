import type { JSX } from "preact";
import type { PageStanding } from "../../views/page/page-records.ts";
import { QuestionBar } from "../act/question-bar.tsx";
import { RunActions } from "../act/run-actions.tsx";
import { useApp } from "../app-context.ts";
import { placeOfBlock, type RunPlace } from "../place.ts";
import { Header } from "../shell/header.tsx";
import { useKeys } from "../shell/keys.ts";
import { Lost } from "../shell/lost.tsx";
import { useIsNarrow } from "../shell/use-width.ts";
import { nextBlock } from "./counts.tsx";
import { FindBlock } from "./find-block.tsx";
import { LevelBody } from "./level-body.tsx";
import { Panel } from "./panel.tsx";
import { RunHead } from "./run-head.tsx";
import { RunMissing } from "./run-missing.tsx";
import { trailOf } from "./trail.ts";
import { useFirstFailure } from "./use-first-failure.ts";
import { useLevel } from "./use-level.ts";
import { useNews } from "./use-news.ts";
import "./run-view.css";

/** A run, or what is inside one of its blocks. */
export function RunView({ place }: { readonly place: RunPlace }): JSX.Element {
  const { go } = useApp();
  const { runId, block } = place;
  const { level, head, problem } = useLevel(runId, place.level);
  const isNarrow = useIsNarrow();
  useNews(head);
  useFirstFailure(place, level, isNarrow);
  // From one block to the next, going back leads to where the reader was before the first.
  const select = (address: string): void =>
    go(placeOfBlock(runId, address), block === undefined ? undefined : "replace");
  const stepIn = (address: string): void => go({ view: "run", runId, level: address });
  const close = (): void => go({ view: "run", runId, level: place.level }, "replace");
  const seek = (...standings: readonly PageStanding[]): void => {
    const next = nextBlock(level?.blocks ?? [], standings, block);
    if (next !== undefined) select(next.address);
  };
  useKeys({
    f: () => seek("failed", "crashed"),
    ".": () => seek("running"),
    Backspace: () => {
      if (block !== undefined) close();
      else go(place.level === "" ? { view: "runs", query: {} } : placeOfBlock(runId, place.level));
    },
    Enter: (event) => {
      const chosen = level?.blocks.find(({ address }) => address === block);
      const isOnControl = event.target instanceof Element && event.target.closest("a, button, summary") !== null;
      if (chosen !== undefined && chosen.holds !== "none" && !isOnControl) stepIn(chosen.address);
    },
  });
  return (
    <div class="run-view">
      <Header trail={trailOf(place, level)}>
        {level !== undefined && <FindBlock blocks={level.blocks} select={select} />}
      </Header>
      <Lost problem={problem} />
      {head === undefined ? (
        <main id="main" class={problem === undefined ? "placeholder" : ""} aria-busy={problem === undefined}>
          {problem !== undefined && <RunMissing place={place} problem={problem} />}
        </main>
      ) : (
        <div class={block === undefined ? "run-view-frame" : "run-view-frame has-panel"}>
          <RunHead head={head}>
            <RunActions head={head} />
          </RunHead>
          <main id="main" aria-busy={level === undefined && problem === undefined}>
            <QuestionBar head={head} />
            {level !== undefined ? (
              <LevelBody level={level} selected={block} select={select} stepIn={stepIn} isNarrow={isNarrow} />
            ) : (
              problem !== undefined && <RunMissing place={place} problem={problem} />
            )}
          </main>
          {block !== undefined && (
            <Panel
              key={block}
              head={head}
              address={block}
              card={level?.blocks.find(({ address }) => address === block)}
              attempt={place.attempt}
              part={place.part}
              chooseAttempt={(attempt) => go(withAttempt(place, attempt), "replace")}
              stepIn={stepIn}
              close={close}
            />
          )}
        </div>
      )}
    </div>
  );
}

function withAttempt({ attempt: _, ...place }: RunPlace, attempt: number | undefined): RunPlace {
  return attempt === undefined ? place : { ...place, attempt };
}
