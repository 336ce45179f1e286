import { countOf, sayDuration } from "./say-words.ts";
import type { DrawnUsual, RunBar, WorkflowUsual } from "./workflow-records.ts";

const height = 64;
const step = 14.6;
const width = 10;
const mostBars = 20;
/** Of the longest run that is drawn as it is: a single long one would make all others flat. */
const most = 1.9;

/** The last runs in words, and as bars, the oldest first: as high as they took long, against what is usual. */
export function drawUsual(usual: Omit<WorkflowUsual, "drawn">): DrawnUsual {
  const { runs, succeeded, duration_ms: usually, spend } = usual;
  const longest = Math.max(1, ...runs.map(({ duration_ms: ms }) => ms ?? 0));
  const full = usually === undefined ? longest : Math.min(longest, usually * most);
  const high = (ms: number): number => round(Math.max(2, (Math.min(ms, full) / full) * (height - 10)));
  const bars = runs.toReversed().map(({ run_id, standing, duration_ms }, index): RunBar => {
    const [ms, left] = [duration_ms ?? 0, round(index * step)];
    const top = round(height - high(ms));
    const isGood = standing === "done" || standing === "undone";
    return {
      run_id,
      kind: isGood ? "good" : "bad",
      says: `${isGood ? "succeeded" : "failed"}, ${sayDuration(ms)}`,
      bar: `M${left} ${top}h${width}V${height}h${-width}z`,
      ...(isGood ? {} : { cross: `M${left + 2} ${top - 8}l6 6m0-6l-6 6` }),
      ...(ms > full ? { cut: `M${left - 1} ${top + 5}l4 -3 4 3 4 -3` } : {}),
    };
  });
  const facts: [string, string | undefined][] = [
    ["Usually takes", usually === undefined ? undefined : sayDuration(usually)],
    ["Succeeded", runs.length === 0 ? undefined : `${succeeded} of the last ${runs.length}`],
    ["Usually spends", spend?.text],
  ];
  return {
    facts: facts.flatMap(([name, text]) => (text === undefined ? [] : [{ name, text }])),
    title: runs.length === 0 ? "Last runs" : `Last ${runs.length === 1 ? "run" : countOf(runs.length, "run")}`,
    says:
      runs.length === 0
        ? "None has ended yet."
        : `${succeeded} of ${runs.length} succeeded${usually === undefined ? "" : `, usually in ${sayDuration(usually)}`}`,
    width: step * mostBars,
    height,
    bars,
    ...(usually === undefined ? {} : { usual: `M0 ${round(height - high(usually))}H${step * mostBars}` }),
  };
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
