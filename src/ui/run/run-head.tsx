import type { ComponentChildren, JSX } from "preact";
import type { BlockCard, RunHead as Head } from "../../views/page/page-records.ts";
import { useNow } from "../app-context.ts";
import { Copy } from "../look/copy.tsx";
import { formatClock, formatDuration, formatTime } from "../look/format.ts";
import { Glyph } from "../look/glyph.tsx";
import { Link } from "../look/link.tsx";
import { Sentence } from "../look/sentence.tsx";
import { Spend } from "../look/spend.tsx";
import { isOver, runWords } from "../look/standing.ts";
import "./run-head.css";

/** What stands above every view of a run: how it stands, in a word, a sentence and a few figures. */
export function RunHead({
  head,
  children,
}: {
  readonly head: Head;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const { run_id, workflow, label, standing, sentence, spend, started_by, started_at, wake_at, questions } = head;
  return (
    <div class="run-head">
      <div class="run-head-says">
        <div class="run-head-title">
          <h1>
            {workflow} {label}
          </h1>
          <span class={`run-head-standing ${standing}`}>
            <Glyph standing={standing} isSilent /> {runWords[standing]}
          </span>
          <Copy text={run_id} label="Copy the run's id" />
        </div>
        <p>
          <Sentence text={sentence} runId={run_id} /> <Related head={head} />
        </p>
      </div>
      <dl class="run-head-facts">
        <Lasted head={head} />
        {wake_at !== undefined && !isOver(standing) && questions.length === 0 && (
          <Fact name="Goes on">{formatTime(wake_at)}</Fact>
        )}
        {spend !== undefined && (
          <Fact name="Spend">
            <Spend spend={spend} />
          </Fact>
        )}
        <Fact name={started_by === undefined ? "Started" : "Started by"} class="run-head-by">
          {started_by} <span class="faint times">{formatTime(started_at)}</span>
        </Fact>
      </dl>
      {children}
    </div>
  );
}

function Fact(props: {
  readonly name: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div class={props.class}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

/** Counts while it runs. */
function Lasted({ head }: { readonly head: Head }): JSX.Element {
  const hasEnded = head.finished_at !== null;
  const now = useNow(!hasEnded);
  const ms = head.duration_ms ?? now - Date.parse(head.started_at);
  return (
    <>
      <Fact name={hasEnded ? "Took" : head.duration_ms === null ? "Running for" : "Ran for"}>
        <span class="times">{formatDuration(Math.max(0, ms))}</span>
      </Fact>
      {head.finished_at !== null && (
        <Fact name="Ended" class="run-head-by">
          <span class="times" title={formatClock(head.finished_at)}>
            {formatTime(head.finished_at)}
          </span>
        </Fact>
      )}
    </>
  );
}

/** The runs that it hangs together with. */
function Related({ head: { rerun_of, undo_of, undone_by } }: { readonly head: Head }): JSX.Element {
  const lines = [
    ["A rerun of", rerun_of],
    ["It undoes", undo_of],
    ["Undone by", undone_by],
  ] as const;
  return (
    <>
      {lines.map(
        ([words, runId]) =>
          runId !== undefined && (
            <span key={words} class="run-head-related">
              {words}{" "}
              <Link to={{ view: "run", runId, level: "" }}>
                <code>{runId}</code>
              </Link>
              .{" "}
            </span>
          ),
      )}
    </>
  );
}

/** What stands above the blocks of something that was stepped into. */
export function LevelHead({ of, runId }: { readonly of: BlockCard; readonly runId: string }): JSX.Element {
  return (
    <div class="level-head">
      <Glyph standing={of.standing} attempt={of.attempt} />
      <h2>{of.name}</h2>
      <span class="faint">{of.workflow ?? (of.holds === "loop" ? "loop" : of.type)}</span>
      {of.message !== undefined && (
        <span>
          <Sentence text={of.message} runId={runId} />
        </span>
      )}
    </div>
  );
}
