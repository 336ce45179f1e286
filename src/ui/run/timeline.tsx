import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { BlockCard, Level, Span } from "../../views/page/page-records.ts";
import { useApp, useNow } from "../app-context.ts";
import { formatClock, formatDuration } from "../look/format.ts";
import { Glyph } from "../look/glyph.tsx";
import { OneOf } from "../look/one-of.tsx";
import { standingWords } from "../look/standing.ts";
import { describeBlock, noteOf } from "./graph/block-words.ts";
import { mostBoxes } from "./graph/groups.ts";
import { type Axis, elapsedText, makeAxis, ticksOf } from "./timeline/axis.ts";
import { GroupRows } from "./timeline/group-rows.tsx";
import { busyStretches, criticalLinks, endOf, rowsByStart, spanOfLevel } from "./timeline/rows.ts";
import { VirtualRows } from "./virtual-rows.tsx";
import "./timeline.css";

interface TimelineProps {
  readonly level: Level;
  readonly selected: string | undefined;
  select(address: string): void;
}

const rowHeight = 19;
const ways = [
  ["elapsed", "Elapsed"],
  ["clock", "Clock"],
] as const;

/** When every block ran and waited, a row for each; of many, how many ran at once. */
export function Timeline({ level, selected, select }: TimelineProps): JSX.Element {
  const [way, setWay] = useState<(typeof ways)[number][0]>("elapsed");
  const isClock = way === "clock";
  const isRunning = level.head.finished_at === null;
  const { takenAt } = useApp().source;
  const counted = useNow(isRunning);
  const now = takenAt ?? Math.max(counted, Date.now() * Number(isRunning));
  const { from, to, isOver } = spanOfLevel(level, now);
  const axis = makeAxis(from, to, isOver, busyStretches(level.blocks, now));
  // Passes of a loop are alike: those that are shown were chosen one by one.
  const isGrouped = level.holds !== "loop" && level.blocks.length > mostBoxes;
  return (
    <section class="timeline" aria-label="Timeline">
      <header>
        <h2>Timeline</h2>
        <span class="faint">
          {isGrouped ? "how many ran at once, in each group; red ticks are failures" : foldedText(axis)}
        </span>
        <span class="timeline-switch">
          <OneOf options={ways} chosen={way} choose={setWay} />
        </span>
      </header>
      <div class="timeline-body">
        <Scale axis={axis} isClock={isClock} now={isOver ? undefined : now} />
        {isGrouped ? (
          <GroupRows level={level} axis={axis} now={now} />
        ) : (
          <BlockRows level={level} axis={axis} now={now} selected={selected} select={select} />
        )}
      </div>
    </section>
  );
}

function foldedText({ folds }: Axis): string {
  const idle = folds.reduce((sum, { from, to }) => sum + to - from, 0);
  return idle === 0 ? "" : `${formatDuration(idle)} in which nothing ran are folded`;
}

/** Marks and their times, what is folded, and now. */
function Scale({
  axis,
  isClock,
  now,
}: {
  readonly axis: Axis;
  readonly isClock: boolean;
  readonly now: number | undefined;
}): JSX.Element {
  const offset = -new Date(axis.start).getTimezoneOffset() * 60_000;
  return (
    <div class="timeline-scale times" aria-hidden="true">
      {ticksOf(axis, 8, isClock, offset).map(({ at, step }) => (
        <span key={at} class="timeline-tick" style={{ left: percent(axis.at(at)) }}>
          {isApart(axis, at, now) && <b>{isClock ? clockText(at, step) : elapsedText(at - axis.start, step)}</b>}
        </span>
      ))}
      {axis.folds.map(({ from, to }) => (
        <span
          key={from}
          class="timeline-fold"
          style={{ left: percent(axis.at(from)), width: percent(axis.at(to) - axis.at(from)) }}
        />
      ))}
      {now !== undefined && (
        <span class="timeline-now" style={{ left: percent(axis.at(now)) }}>
          <b>now {isClock ? formatClock(now) : elapsedText(now - axis.start, 1000)}</b>
        </span>
      )}
    </div>
  );
}

/** Whether the time of a mark can be read beside that of now. */
function isApart(axis: Axis, at: number, now: number | undefined): boolean {
  return now === undefined || Math.abs(axis.at(at) - axis.at(now)) > 0.06;
}

function clockText(at: number, step: number): string {
  const text = formatClock(at);
  return step % 60_000 === 0 ? text.slice(0, 5) : text;
}

function BlockRows({
  level,
  axis,
  now,
  selected,
  select,
}: TimelineProps & { readonly axis: Axis; readonly now: number }): JSX.Element {
  const rows = useMemo(() => rowsByStart(level.blocks), [level.blocks]);
  const links = useMemo(() => criticalLinks(rows, level.edges), [rows, level.edges]);
  const critical = useMemo(
    () => new Set(level.edges.flatMap((edge) => (edge.is_critical === true ? [edge.from, edge.to] : []))),
    [level.edges],
  );
  return (
    <VirtualRows
      count={rows.length}
      rowHeight={rowHeight}
      mostHeight={rowHeight * 40}
      label="Blocks by start"
      row={(index) => {
        const card = rows[index];
        return (
          card && (
            <button
              type="button"
              class={`timeline-row ${card.standing}`}
              aria-current={card.address === selected ? "true" : undefined}
              title={describeBlock(card, now)}
              onClick={() => select(card.address)}
            >
              <span class="timeline-name">
                <Glyph standing={card.standing} size={12} attempt={card.attempt} isSilent={true} />
                <span>{card.name}</span>
                <span class="unseen">, {standingWords[card.standing]}, </span>
                {card.is_finally === true && card.inside === undefined && <small>finally</small>}
                {card.inside !== undefined && (
                  <small>{card.holds === "loop" ? `×${card.inside.total}` : card.inside.total}</small>
                )}
              </span>
              <Track card={card} axis={axis} now={now} isCritical={critical.has(card.address)} />
            </button>
          )
        );
      }}
      over={
        <div class="timeline-links" aria-hidden="true">
          {links.map(({ from, to, at }) => (
            <i
              key={`${from} ${to}`}
              style={{
                left: percent(axis.at(at)),
                top: `${Math.min(from, to) * rowHeight + rowHeight - 2}px`,
                height: `${Math.abs(to - from) * rowHeight}px`,
              }}
            />
          ))}
        </div>
      }
    />
  );
}

interface TrackProps {
  readonly card: BlockCard;
  readonly axis: Axis;
  readonly now: number;
  readonly isCritical: boolean;
}

/** The bars of one block, and what there is to say about them, on the side where there is room. */
function Track({ card, axis, now, isCritical }: TrackProps): JSX.Element {
  const start = axis.at(Date.parse(card.spans[0]?.from ?? card.started_at ?? new Date(axis.start).toISOString()));
  const end = card.spans.reduce(
    (last, span) => Math.max(last, axis.at(endOf(span, now))),
    card.spans.length === 0 ? 0 : start,
  );
  const note = noteOf(card, now);
  // Right of the bars, cut where the row ends; left of them where that would leave too little of it.
  const isLeft = start > 0.3 && end > (note.length > 24 ? 0.68 : 0.88);
  return (
    <span class="timeline-track">
      {card.spans.map((span) => (
        <Bar key={`${span.kind} ${span.from}`} span={span} card={card} axis={axis} now={now} />
      ))}
      {isCritical && card.spans.length > 0 && (
        <i class="timeline-critical" style={{ left: percent(start), width: percent(end - start) }} />
      )}
      <span
        class="timeline-note times"
        style={isLeft ? { right: percent(1 - start) } : { left: percent(end), right: "-40px" }}
      >
        {note}
      </span>
    </span>
  );
}

function Bar({ span, card, axis, now }: Omit<TrackProps, "isCritical"> & { readonly span: Span }): JSX.Element {
  const left = axis.at(Date.parse(span.from));
  const right = axis.at(endOf(span, now));
  return (
    <i class={`timeline-bar ${barClass(span, card)}`} style={{ left: percent(left), width: percent(right - left) }} />
  );
}

function barClass({ kind, to }: Span, { standing }: BlockCard): string {
  if (kind !== "ran") return kind;
  if (to === null) return "ran running";
  if (standing === "handled") return "failed";
  return standing === "failed" || standing === "crashed" ? "ran broke" : "ran";
}

function percent(share: number): string {
  return `${(share * 100).toFixed(3)}%`;
}
