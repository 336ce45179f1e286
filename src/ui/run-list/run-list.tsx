import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PageStanding } from "../../views/page/page-records.ts";
import { useNow } from "../app-context.ts";
import { plural } from "../look/format.ts";
import { useKeys } from "../shell/keys.ts";
import { useIsNarrow } from "../shell/use-width.ts";
import { arrangeLines, type Item } from "./arrange-lines.ts";
import { dayStart } from "./filters.ts";
import type { Runs } from "./load-runs.ts";
import { RunRow } from "./run-row.tsx";
import { useSteadyItems } from "./use-steady-items.ts";
import { useStrips } from "./use-strips.ts";
import { useWindow } from "./use-window.ts";
import { offsetsOf } from "./window-items.ts";
import "./run-list.css";

const wide = { section: 34, run: 36 };
const narrow = { section: 36, run: 78 };
/** So many lines before the end, the next page is asked for. */
const ahead = 40;
/** What the names of the columns cover. */
const listHead = 28;

const columns = [
  ["", "State"],
  ["Workflow", "Workflow"],
  ["Blocks", "Blocks"],
  ["What it says", "What it says"],
  ["Spend", "Spend"],
  ["Time", "Time"],
  ["Started", "Started"],
  ["By", "Started by"],
  ["", "What it needs"],
] as const;

/** Runs in sections; only the lines in sight are there, however many there are. */
export function RunList({ runs, loadOlder }: { readonly runs: Runs; loadOlder(): void }): JSX.Element {
  const heights = useIsNarrow() ? narrow : wide;
  const now = useNow(true);
  const today = dayStart(now);
  const arranged = useMemo(() => arrangeLines(runs.lines.values(), Date.now()), [runs.lines, today]);
  const { items, waiting, release, area } = useSteadyItems(arranged);
  const offsets = useMemo(() => offsetsOf(items, heights), [items, heights]);
  const [from, to] = useWindow(area, items, offsets);
  useEffect(() => {
    if (to + ahead >= items.length) loadOlder();
  }, [to, items.length, loadOlder]);
  const shown = items.slice(from, to);
  const strips = useStrips(shown.flatMap(({ key }) => runs.lines.get(key) ?? []));
  const [, refresh] = useState({});
  const sought = useRef<string>(undefined);
  useEffect(() => {
    const row = area.current?.querySelector<HTMLElement>(`[data-run="${sought.current}"]`);
    if (row == null) return;
    sought.current = undefined;
    row.querySelector<HTMLElement>(".run-row-open")?.focus({ preventScroll: true });
  });
  /** To the next run that stands so, from the one that has the focus; after the last one to the first. */
  const seek = (...standings: readonly PageStanding[]): void => {
    const here = document.activeElement?.closest<HTMLElement>("[data-run]")?.dataset.run;
    const at = items.findIndex(({ key }) => key === here);
    const isSought = ({ key }: Item): boolean => standings.includes(runs.lines.get(key)?.standing ?? "done");
    const next = items.findIndex((item, index) => index > at && isSought(item));
    const found = next === -1 ? items.findIndex(isSought) : next;
    if (found === -1) return;
    sought.current = items[found]?.key;
    const top = (area.current?.getBoundingClientRect().top ?? 0) + (offsets[found] ?? 0);
    // A row that is out of sight is drawn once it has come into sight, and gets the focus then.
    if (top < listHead || top > innerHeight - heights.run) scrollBy(0, top - innerHeight / 2);
    refresh({});
  };
  useKeys({
    ArrowDown: (event) => moveFocus(area.current, event, 1),
    ArrowUp: (event) => moveFocus(area.current, event, -1),
    a: () => seek("asks"),
    f: () => seek("failed", "crashed"),
  });
  return (
    <div class="run-list">
      {waiting > 0 && (
        <button type="button" class="run-list-waiting" onClick={release}>
          {plural(waiting, "run")} came or moved. Show
        </button>
      )}
      <table aria-label="Runs" aria-rowcount={items.length + 1}>
        <thead>
          <tr class="run-row" aria-rowindex={1}>
            {columns.map(([name, label]) => (
              <th key={label} scope="col" aria-label={label}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={area} style={{ height: `${offsets.at(-1) ?? 0}px` }}>
          {shown.map((item, at) => {
            const [top, height] = [offsets[from + at] ?? 0, heights[item.kind]];
            const index = from + at + 2;
            if (item.kind === "section")
              return <SectionRow key={item.key} item={item} index={index} top={top} height={height} />;
            const line = runs.lines.get(item.key);
            if (line === undefined) return null;
            return (
              <RunRow
                key={item.key}
                line={line}
                strip={strips.get(line.run_id)}
                now={line.duration_ms === null ? now : today}
                index={index}
                top={top}
                height={height}
              />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface SectionRowProps {
  readonly item: Item & { readonly kind: "section" };
  readonly index: number;
  readonly top: number;
  readonly height: number;
}

function SectionRow({ item, index, top, height }: SectionRowProps): JSX.Element {
  return (
    <tr class="run-list-section" style={{ top: `${top}px`, height: `${height}px` }} aria-rowindex={index}>
      <th colSpan={columns.length} scope="rowgroup">
        <h2>
          {item.name} <span class="faint times">{item.count}</span>
        </h2>
      </th>
    </tr>
  );
}

/** From run to run; into the list from elsewhere. */
function moveFocus(area: HTMLElement | null, event: KeyboardEvent, by: number): void {
  const links = [...(area?.querySelectorAll<HTMLElement>(".run-row-open") ?? [])];
  const at = links.indexOf(document.activeElement as HTMLElement);
  if (at === -1 && document.activeElement !== document.body) return;
  const next = at === -1 ? links.find((link) => link.getBoundingClientRect().top > 0) : links[at + by];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
