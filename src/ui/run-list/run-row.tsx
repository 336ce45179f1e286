import type { JSX } from "preact";
import type { Strip as Letters, RunLine } from "../../views/page/page-records.ts";
import { formatDuration, formatTime } from "../look/format.ts";
import { Glyph } from "../look/glyph.tsx";
import { Link } from "../look/link.tsx";
import { writeTimes } from "../look/sentence.tsx";
import { runWords } from "../look/standing.ts";
import { Starter } from "../look/starter.tsx";
import { Steady } from "../look/steady.ts";
import { Strip } from "../look/strip.tsx";
import type { RunPlace } from "../place.ts";

interface RunRowProps {
  readonly line: RunLine;
  readonly strip: Letters | undefined;
  /** Counts only while it runs. */
  readonly now: number;
  /** Its row in the whole list, from 1. */
  readonly index: number;
  /** Where it stands, in pixels. */
  readonly top: number;
  readonly height: number;
}

/** A run as a line. It is written again only where something of it has changed: while the reader scrolls, most have not. */
export class RunRow extends Steady<RunRowProps> {
  override render(): JSX.Element {
    return <Row {...this.props} />;
  }
}

/** The whole line leads to the run. */
function Row({ line, strip, now, index, top, height }: RunRowProps): JSX.Element {
  const { run_id: runId, workflow, label, standing, says, spend, started_at, started_by, duration_ms } = line;
  const place: RunPlace = { view: "run", runId, level: "" };
  const hasFailed = standing === "failed" || standing === "crashed";
  const need = standing === "asks" ? "Answer" : standing === "interrupted" ? "Resume" : undefined;
  const ms = duration_ms ?? Math.max(0, now - Date.parse(started_at));
  return (
    <tr class="run-row" style={{ top: `${top}px`, height: `${height}px` }} aria-rowindex={index} data-run={runId}>
      <td title={runWords[standing]}>
        <Glyph standing={standing} />
      </td>
      <td class="run-row-name">
        <Link to={place} class="run-row-open">
          <b>{workflow}</b> <span class="faint">{label}</span>
        </Link>
      </td>
      <td class="run-row-strip">{strip !== undefined && <Strip letters={strip} width={4} />}</td>
      <td class={hasFailed ? "run-row-says problem" : need === "Answer" ? "run-row-says is-asked" : "run-row-says"}>
        {writeTimes(says).replaceAll("`", "")}
      </td>
      <td class="run-row-spend times">{spend?.text ?? "–"}</td>
      <td class="run-row-time times">{formatDuration(ms)}</td>
      <td class="run-row-started times faint">{formatTime(started_at, now)}</td>
      <td class="run-row-by">
        {started_by !== undefined && <Starter name={started_by} />} {started_by}
      </td>
      <td class="run-row-need">
        {need !== undefined && (
          <Link
            to={place}
            class={need === "Answer" ? "button amber" : "button"}
            aria-label={`${need} ${workflow} ${label ?? ""}`.trim()}
          >
            {need}
          </Link>
        )}
      </td>
    </tr>
  );
}
