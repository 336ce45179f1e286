import type { JSX } from "preact";
import "./ansi.css";
import { formatClock, plural } from "./format.ts";
import type { LogRow } from "./log-lines.ts";
import { markHits } from "./log-search.ts";

interface RowProps {
  readonly row: LogRow;
  readonly pattern: RegExp | undefined;
  /** Whether it is the one that was searched for last. */
  readonly isCurrent: boolean;
  /** Lines that tell of a failure stand out. */
  readonly isFailed: boolean;
}

/** Drawing more of a line would take long, and nobody reads it here. */
const longestLine = 4000;

export function LogRowLine({ row, pattern, isCurrent, isFailed }: RowProps): JSX.Element {
  if (row.leftOut !== undefined) {
    return <div class="log-row log-left-out">… {plural(row.leftOut, "line")} left out here</div>;
  }
  const { at, stream, block } = row;
  const shown = row.text.slice(0, longestLine);
  return (
    <div
      class={`log-row log-${stream}${isCurrent ? " log-current" : ""}${isFailed && row.is_failure ? " log-failure" : ""}`}
    >
      <time>{formatClock(at)}</time>
      {stream === "stderr" && <span class="unseen">stderr: </span>}
      {block !== undefined && <span class="log-block">{block} </span>}
      <span class="log-text">
        {markHits(shown, row.styles, pattern).map(({ text, class: classes, isHit }, index) => {
          const piece = classes === "" ? text : <span class={classes}>{text}</span>;
          return isHit ? <mark key={index}>{piece}</mark> : piece;
        })}
        {row.text.length > longestLine && (
          <span class="faint"> … {(row.text.length - longestLine).toLocaleString("en-GB")} more characters</span>
        )}
      </span>
    </div>
  );
}
