import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { RunLine, RunLines, StandingCounts } from "../../views/page/page-records.ts";
import { useApp } from "../app-context.ts";
import type { ApiProblem } from "../data/source.ts";
import { dayStart, type Filters, isWanted, queryFor } from "./filters.ts";

/** What is known of the list. */
export interface Runs {
  readonly lines: ReadonlyMap<string, RunLine>;
  readonly counts: StandingCounts;
  /** The same of those that began today. */
  readonly today: StandingCounts;
  readonly workflows: readonly string[];
  readonly spendToday?: RunLines["spend_today"];
  readonly next?: string | undefined;
}

const open = "asks,interrupted,running,sleeping";
const pageSize = "200";
/** Many changes in a row are counted once. */
const countMs = 500;

/** What was shown last, so that going back finds it at once. */
let kept: { readonly key: string; readonly runs: Runs } | undefined;

interface UsedRuns {
  readonly runs: Runs | undefined;
  readonly problem: ApiProblem | undefined;
  loadOlder(): void;
}

/** The runs that the filters let through, as they are now. */
export function useRuns(filters: Filters): UsedRuns {
  const { source, setConnected } = useApp();
  const key = JSON.stringify(filters);
  const [held, setHeld] = useState(kept);
  const [problem, setProblem] = useState<ApiProblem>();
  const isLoadingOlder = useRef(false);
  const runs = held?.key === key ? held.runs : undefined;
  useEffect(() => {
    kept = held;
  }, [held]);

  useEffect(() => {
    let isStopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = (more: Readonly<Record<string, string>>): Promise<RunLines> =>
      source.get<RunLines>("/runs", { ...queryFor(filters, Date.now()), ...more });
    const askToday = (): Promise<RunLines> => ask({ limit: "1", since: new Date(dayStart(Date.now())).toISOString() });
    const update = (change: (before: Runs | undefined) => Runs | undefined): void => {
      if (isStopped) return;
      setHeld((before) => {
        const next = change(before?.key === key ? before.runs : undefined);
        return next === undefined ? before : { key, runs: next };
      });
    };
    const load = async (): Promise<void> => {
      try {
        const [page, today, goingOn] = await Promise.all([
          ask({ limit: pageSize }),
          askToday(),
          // Who is waited for is in sight, however long ago that began.
          filters.status === undefined ? ask({ status: open, limit: "1000" }) : undefined,
        ]);
        update((before) => ({
          lines: mergeLines(before?.lines, [...(goingOn?.runs ?? []), ...page.runs]),
          next: before?.next ?? page.next,
          ...countsOf(page, today),
        }));
        if (!isStopped) setProblem(undefined);
      } catch (failure) {
        if (!isStopped) setProblem(failure as ApiProblem);
      }
    };
    const recount = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        Promise.all([ask({ limit: "1" }), askToday()]).then(
          ([all, today]) => update((before) => before && { ...before, ...countsOf(all, today) }),
          () => undefined,
        );
      }, countMs);
    };
    const stop = source.watchRuns({
      connected(isConnected) {
        setConnected(isConnected);
        // The stream tells only what happens while it is open.
        if (isConnected) void load();
      },
      failed: (failure) => setProblem(failure),
      changed(changed, removed) {
        update((before) => before && { ...before, lines: mergeLines(before.lines, changed, removed) });
        recount();
      },
    });
    if (!source.isLive) void load();
    return () => {
      isStopped = true;
      clearTimeout(timer);
      stop();
      setConnected(true);
    };
    // The filters are in the key.
  }, [source, key, setConnected]);

  const loadOlder = useCallback(() => {
    const before = runs?.next;
    if (before === undefined || isLoadingOlder.current) return;
    isLoadingOlder.current = true;
    source
      .get<RunLines>("/runs", { ...queryFor(filters, Date.now()), limit: pageSize, before })
      .then(
        (page) =>
          setHeld((now) =>
            now?.key === key
              ? { key, runs: { ...now.runs, lines: mergeLines(now.runs.lines, page.runs), next: page.next } }
              : now,
          ),
        () => undefined,
      )
      .finally(() => {
        isLoadingOlder.current = false;
      });
  }, [source, key, runs?.next]);

  const wanted = useMemo(() => runs && { ...runs, lines: wantedOf(runs.lines, filters) }, [runs, key]);
  return { runs: wanted, problem, loadOlder };
}

function wantedOf(lines: Runs["lines"], filters: Filters): Runs["lines"] {
  const now = Date.now();
  return new Map([...lines].filter(([, line]) => isWanted(line, filters, now)));
}

function countsOf(all: RunLines, today: RunLines): Pick<Runs, "counts" | "today" | "workflows" | "spendToday"> {
  return { counts: all.counts, today: today.counts, workflows: all.workflows, spendToday: all.spend_today };
}

/** The later of two lines of a run, by its number in the journal: an answer may come after a change that is newer. */
export function mergeLines(
  before: Runs["lines"] | undefined,
  lines: readonly RunLine[],
  removed: readonly string[] = [],
): Runs["lines"] {
  const merged = new Map(before);
  for (const line of lines) {
    const known = merged.get(line.run_id);
    if (known === undefined || known.sequence <= line.sequence) merged.set(line.run_id, line);
  }
  for (const runId of removed) merged.delete(runId);
  return merged;
}
