import type { JSX } from "preact";
import type { RunHead as Head } from "../../views/page/page-records.ts";
import { QuestionBar } from "../act/question-bar.tsx";
import { useApp } from "../app-context.ts";
import { Link } from "../look/link.tsx";
import { placeOfBlock, type RunPlace } from "../place.ts";
import { LevelBody } from "../run/level-body.tsx";
import { Panel } from "../run/panel.tsx";
import { RunHead } from "../run/run-head.tsx";
import { RunMissing } from "../run/run-missing.tsx";
import { trailOf } from "../run/trail.ts";
import { useLevel } from "../run/use-level.ts";
import { useNews } from "../run/use-news.ts";
import { useIsNarrow } from "../shell/use-width.ts";
import "../run/run-view.css";

/** A run as the page shows it, without the frame of the page and without anything that acts on it. */
export function EmbeddedRun({ place }: { readonly place: RunPlace }): JSX.Element {
  const { go, isConnected } = useApp();
  const { runId, block } = place;
  const { level, head, problem } = useLevel(runId, place.level);
  const isNarrow = useIsNarrow();
  useNews(head);
  const select = (address: string): void => go(placeOfBlock(runId, address));
  const stepIn = (address: string): void => go({ view: "run", runId, level: address });
  if (head === undefined)
    return problem === undefined ? (
      <main class="embedded-wait" aria-busy="true" />
    ) : (
      <main>
        <RunMissing place={place} problem={problem} />
      </main>
    );
  return (
    <div class={block === undefined ? "embedded" : "embedded has-panel"}>
      <RunHead head={head} />
      {!isConnected && <p class="embedded-lost">Not connected, trying again. This is how it was.</p>}
      <main aria-busy={level === undefined && problem === undefined}>
        <Trail place={place} level={level} />
        <QuestionBar head={head} />
        <Answering head={head} />
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
          chooseAttempt={(attempt) => go(withAttempt(place, attempt))}
          stepIn={stepIn}
          close={() => go({ view: "run", runId, level: place.level })}
        />
      )}
    </div>
  );
}

/** The way back out of what was stepped into. */
function Trail({ place, level }: { readonly place: RunPlace; readonly level: Parameters<typeof trailOf>[1] }) {
  if (place.level === "") return null;
  return (
    <nav aria-label="Where you are">
      <ol class="embedded-trail">
        {trailOf(place, level).map(({ name, to }, index) => (
          <li key={index}>
            <Link to={to}>{name}</Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Nothing is answered here: where it can be. */
function Answering({ head: { questions } }: { readonly head: Head }): JSX.Element | null {
  const [first] = questions;
  if (first === undefined) return null;
  return (
    <p class="embedded-answer">
      {first.audience === "llm" && first.about === "block"
        ? "Say the answer in the conversation, or give it in a terminal with the command above."
        : "A person answers it: in a form of this client, on the page that frond ui opens, or in a terminal with the command above."}
    </p>
  );
}

function withAttempt({ attempt: _, ...place }: RunPlace, attempt: number | undefined): RunPlace {
  return attempt === undefined ? place : { ...place, attempt };
}
