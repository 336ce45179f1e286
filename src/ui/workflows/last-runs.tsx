import type { JSX } from "preact";
import type { Strip as Letters, RunLine } from "../../views/page/page-records.ts";
import type { DrawnUsual } from "../../views/page/workflow-records.ts";
import { useRecord } from "../act/use-record.ts";
import { formatDuration, formatTime } from "../look/format.ts";
import { Glyph } from "../look/glyph.tsx";
import { Link } from "../look/link.tsx";
import { Strip } from "../look/strip.tsx";

/** The last runs as bars, against what is usual. */
export function LastRuns({ drawn }: { readonly drawn: DrawnUsual }): JSX.Element {
  const { title, says, width, height, bars, usual } = drawn;
  return (
    <section>
      <h3>{title}</h3>
      {bars.length > 0 && (
        <svg class="workflow-bars" width={width} height={height} role="img" aria-label={`Last runs: ${says}`}>
          {bars.map(({ run_id, kind, says: told, bar, cross, cut }) => (
            <g key={run_id} class={kind}>
              <title>{told}</title>
              <path class="bar" d={bar} />
              <path class="cross" d={cross} />
              <path class="cut" d={cut} />
            </g>
          ))}
          <path class="usual" d={usual} />
        </svg>
      )}
      <p class="faint">{says}</p>
    </section>
  );
}

/** The latest runs, whatever became of them. */
export function LatestRuns({ name, runs }: { readonly name: string; readonly runs: readonly RunLine[] }): JSX.Element {
  const ids = runs.map(({ run_id }) => run_id).join(",");
  // A list without them is as good.
  const { record } = useRecord<{ readonly strips: Readonly<Record<string, Letters>> }>("/strips", { runs: ids });
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
              <Strip letters={record?.strips[run_id] ?? ""} />
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
