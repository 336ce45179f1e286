import type { JSX, RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { addressPath } from "../data/http-source.ts";
import { useKeys } from "../shell/keys.ts";
import { useResized } from "../shell/use-width.ts";
import { plural } from "./format.ts";
import { LogFind } from "./log-find.tsx";
import { type LogRow, windowOf } from "./log-lines.ts";
import { LogRowLine } from "./log-row.tsx";
import { LogSearch, patternOf, stepFound } from "./log-search.ts";
import "./log-view.css";
import { useLog } from "./use-log.ts";

interface LogViewProps {
  readonly runId: string;
  readonly address: string;
  readonly attempt: number | undefined;
  /** What has failed shows the lines that tell so. */
  readonly isFailed: boolean;
}

/** As .log-row has it. */
const lineHeight = 17;
/** Of more lines only those in sight are drawn, and for that all have to be of the same height. */
const mostWrapped = 2000;

/** What a block writes, as it writes it. It follows its end until it is scrolled up. */
export function LogView({ runId, address, attempt, isFailed }: LogViewProps): JSX.Element {
  const { isLive } = useApp().source;
  const [{ rows, skipped, hasEnded }, problem] = useLog(runId, address, attempt);
  const [text, setText] = useState<string>();
  const [current, setCurrent] = useState<number>();
  const [wantsWrap, setWrap] = useState(false);
  const isWrapped = wantsWrap && rows.length <= mostWrapped;
  const box = useRef<HTMLDivElement>(null);
  const { top, height, isFollowing, follow, showLine, onScroll } = useScrolling(box, rows.length, isWrapped);
  const pattern = useMemo(() => patternOf(text ?? ""), [text]);
  const search = useMemo(
    () => new LogSearch((row) => pattern !== undefined && row.text.search(pattern) !== -1),
    [pattern],
  );
  const failures = useMemo(() => new LogSearch((row) => row.is_failure === true), [runId, address, attempt]);
  const found = pattern === undefined ? [] : search.look(rows);
  const goTo = (lines: readonly number[], step: 1 | -1): void => {
    const line = stepFound(lines, current, step);
    setCurrent(line);
    if (line !== undefined) showLine(line);
  };
  useKeys(isFollowing ? {} : { ".": follow });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "/" || event.target !== box.current) return;
    event.preventDefault();
    setText("");
  };
  const { first, end } = isWrapped ? { first: 0, end: rows.length } : windowOf(top, height, lineHeight, rows.length);
  const query = attempt === undefined ? "" : `?attempt=${attempt}`;
  const whole = `/api/runs/${encodeURIComponent(runId)}/logs/${addressPath(address)}${query}`;
  return (
    <div class="log">
      <header>
        <h3>Log</h3>
        <span class="faint times">{plural(skipped + rows.length, "line")}</span>
        <span class="log-tools">
          <LogFind
            text={text}
            count={found.length}
            position={current === undefined ? -1 : found.indexOf(current)}
            change={(wanted) => {
              setText(wanted);
              setCurrent(undefined);
              if (wanted === undefined) box.current?.focus();
            }}
            step={(step) => goTo(found, step)}
          />
          {isFailed && text === undefined && (
            <button type="button" class="plain small" onClick={() => goTo(failures.look(rows), 1)}>
              Next failure
            </button>
          )}
          {rows.length <= mostWrapped && text === undefined && (
            <button type="button" class="plain small" aria-pressed={isWrapped} onClick={() => setWrap(!wantsWrap)}>
              Wrap
            </button>
          )}
          {!hasEnded && (
            <button type="button" class="plain small" aria-pressed={isFollowing} onClick={follow}>
              {isFollowing ? "Following" : "Follow"}
            </button>
          )}
        </span>
      </header>
      {problem !== undefined && <p class="problem">{problem}</p>}
      {skipped > 0 && (
        <p class="log-skipped faint">
          {plural(skipped, "line")} before these {skipped === 1 ? "is" : "are"} not shown or searched here.{" "}
          {isLive && (
            <a href={whole} download>
              Download the whole log
            </a>
          )}
        </p>
      )}
      <div
        ref={box}
        class={`log-box${isWrapped ? " log-wrapped" : ""}`}
        role="log"
        aria-live="off"
        aria-label="Log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys.
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
      >
        <div class="log-all" style={isWrapped ? {} : { height: `${rows.length * lineHeight}px` }}>
          <div class="log-window" style={{ transform: `translateY(${first * lineHeight}px)` }}>
            {rows.slice(first, end).map((row: LogRow, index) => (
              <LogRowLine
                key={skipped + first + index}
                row={row}
                pattern={pattern}
                isCurrent={first + index === current}
                isFailed={isFailed}
              />
            ))}
          </div>
        </div>
        {rows.length === 0 && <p class="log-empty faint">{hasEnded ? "It wrote nothing." : "Nothing yet."}</p>}
      </div>
      {isLive && skipped === 0 && rows.length > 0 && (
        <a class="log-whole faint" href={whole} download>
          Download as text
        </a>
      )}
    </div>
  );
}

interface Scrolling {
  readonly top: number;
  readonly height: number;
  readonly isFollowing: boolean;
  follow(): void;
  showLine(line: number): void;
  onScroll(): void;
}

/** Where the log is scrolled to. Being at its end is what following means. */
function useScrolling(box: RefObject<HTMLDivElement | null>, count: number, isWrapped: boolean): Scrolling {
  const [{ top, height }, setSeen] = useState({ top: 0, height: 0 });
  const [isFollowing, setFollowing] = useState(true);
  const look = (): void => {
    const { current } = box;
    if (current === null) return;
    const { scrollTop, clientHeight } = current;
    if (scrollTop !== top || clientHeight !== height) setSeen({ top: scrollTop, height: clientHeight });
  };
  const toEnd = (): void => {
    const { current } = box;
    if (current !== null) current.scrollTop = current.scrollHeight;
  };
  useLayoutEffect(() => {
    if (isFollowing) toEnd();
    look();
  }, [count, isFollowing, isWrapped]);
  useResized(box, ({ scrollTop, clientHeight }) => setSeen({ top: scrollTop, height: clientHeight }));
  return {
    top,
    height,
    isFollowing,
    follow: () => {
      setFollowing(true);
      toEnd();
    },
    showLine(line) {
      const { current } = box;
      if (current === null) return;
      const row = isWrapped ? current.querySelectorAll(".log-row")[line] : undefined;
      if (row !== undefined) row.scrollIntoView({ block: "center" });
      else current.scrollTop = (line + 0.5) * lineHeight - current.clientHeight / 2;
    },
    onScroll() {
      const { current } = box;
      if (current === null) return;
      setFollowing(current.scrollTop + current.clientHeight >= current.scrollHeight - lineHeight / 2);
      look();
    },
  };
}
