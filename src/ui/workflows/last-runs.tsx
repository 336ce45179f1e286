import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Strip as Letters, RunLine } from "../../views/page/page-records.ts";
import type { WorkflowUsual } from "../../views/page/workflow-records.ts";
import { useApp } from "../app-context.ts";
import { formatDuration, formatTime } from "../look/format.ts";
import { Glyph } from "../look/glyph.tsx";
import { Link } from "../look/link.tsx";
import { Strip } from "../look/strip.tsx";

const height = 64;
const step = 14.6;
const width = 10;
/** Of the longest run that is drawn as it is: a single long one would make all others flat. */
const most = 1.9;

/** The last runs as bars, the oldest first: as high as they took long, against what is usual. */
export function LastRuns({ usual }: { readonly usual: WorkflowUsual }): JSX.Element {
  const { runs, succeeded, duration_ms: usually } = usual;
  const oldest = runs.toReversed();
  const longest = Math.max(1, ...runs.map(({ duration_ms: ms }) => ms ?? 0));
  const full = usually === undefined ? longest : Math.min(longest, usually * most);
  const high = (ms: number | null): number => Math.max(2, (Math.min(ms ?? 0, full) / full) * (height - 10));
  const told = `${succeeded} of ${runs.length} succeeded`;
  return (
    <section>
      <h3>
        {runs.length === 0 ? "Last runs" : `Last ${runs.length === 1 ? "run" : `${runs.length} runs`}`}{" "}
        {usually !== undefined && <span class="faint">usually {formatDuration(usually)}</span>}
      </h3>
      {runs.length === 0 ? (
        <p class="faint">None has ended yet.</p>
      ) : (
        <>
          <svg class="workflow-bars" width={step * 20} height={height} role="img" aria-label={`Last runs: ${told}`}>
            {oldest.map(({ run_id, standing, duration_ms: ms }, index) => {
              const tall = high(ms);
              const isGood = standing === "done" || standing === "undone";
              const x = index * step;
              return (
                <g key={run_id} class={isGood ? "good" : "bad"}>
                  <title>{`${isGood ? "succeeded" : "failed"}, ${formatDuration(ms ?? 0)}`}</title>
                  <rect x={x} y={height - tall} width={width} height={tall} />
                  {!isGood && <path d={`M${x + 2} ${height - tall - 8}l6 6m0-6l-6 6`} />}
                  {(ms ?? 0) > full && <path class="cut" d={`M${x - 1} ${height - tall + 5}l4 -3 4 3 4 -3`} />}
                </g>
              );
            })}
            {usually !== undefined && <path class="usual" d={`M0 ${height - high(usually)}H${step * 20}`} />}
          </svg>
          <p class="faint">{told}</p>
        </>
      )}
    </section>
  );
}

/** The latest runs, whatever became of them. */
export function LatestRuns({ name, runs }: { readonly name: string; readonly runs: readonly RunLine[] }): JSX.Element {
  const { source } = useApp();
  const [strips, setStrips] = useState<Readonly<Record<string, Letters>>>({});
  const ids = runs.map(({ run_id }) => run_id).join(",");
  useEffect(() => {
    if (ids === "") return;
    // A list without them is as good.
    source.get<{ readonly strips: Readonly<Record<string, Letters>> }>("/strips", { runs: ids }).then(
      (answer) => setStrips(answer.strips),
      () => setStrips({}),
    );
  }, [source, ids]);
  return (
    <section class="workflow-latest">
      <div class="workflow-bar">
        <h3>Latest</h3>
        <Link to={{ view: "runs", query: { workflow: name } }}>All runs</Link>
      </div>
      {runs.length === 0 && <p class="faint">It has not been run here yet.</p>}
      <ul>
        {runs.map(({ run_id, standing, label, says, duration_ms: ms, started_at }) => (
          <li key={run_id}>
            <Link to={{ view: "run", runId: run_id, level: "" }}>
              <Glyph standing={standing} />
              <b>{label ?? run_id}</b>
              <Strip letters={strips[run_id] ?? ""} />
              <span class="workflow-says">{says}</span>
              <span class="times">{ms === null ? "" : formatDuration(ms)}</span>
              <span class="times faint">{formatTime(started_at)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
