import type { RunLine, RunLines, StandingCounts } from "../../views/page/page-records.ts";
import type { ApiProblem, Source } from "../data/source.ts";
import { dayStart, type Filters, queryFor } from "./filters.ts";

/** What is known of the list. */
export interface Runs {
  readonly lines: ReadonlyMap<string, RunLine>;
  readonly counts: StandingCounts;
  /** All of it in a sentence or two. */
  readonly summary: string;
  readonly workflows: readonly string[];
  readonly starters: readonly string[];
  readonly spendToday?: RunLines["spend_today"];
  readonly next?: string | undefined;
}

const goingOn = "asks,interrupted,running,sleeping";
const pageSize = "200";
/** Many changes in a row are counted once. */
const countMs = 500;

/** Asks for the runs that some filters let through. */
export interface Loader {
  load(): Promise<void>;
  loadOlder(): Promise<void>;
  /** Lines that have changed. */
  hear(lines: readonly RunLine[], removed: readonly string[]): void;
  stop(): void;
}

export function createLoader(
  source: Source,
  filters: Filters,
  fail: (problem: ApiProblem | undefined) => void,
  change: (change: (before: Runs | undefined) => Runs | undefined) => void,
): Loader {
  let isStopped = false;
  let older: string | undefined;
  let isLoadingOlder = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = (more: Readonly<Record<string, string>>): Promise<RunLines> =>
    source.get<RunLines>("/runs", {
      ...queryFor(filters, Date.now()),
      today: new Date(dayStart(Date.now())).toISOString(),
      ...more,
    });
  const update: typeof change = (next) => {
    if (!isStopped) change(next);
  };
  const recount = async (): Promise<void> => {
    const counted = await ask({ limit: "1" }).catch(() => undefined);
    if (counted !== undefined) update((before) => before && { ...before, ...countsOf(counted) });
  };
  return {
    async load() {
      try {
        const [page, open] = await Promise.all([
          ask({ limit: pageSize }),
          // Who is waited for is in sight, however long ago that began.
          filters.status === undefined ? ask({ status: goingOn, limit: "1000" }) : undefined,
        ]);
        update((before) => {
          // What was loaded before stays: the next page is the one after that.
          older = before === undefined ? page.next : before.next;
          const lines = mergeLines(before?.lines, [...(open?.runs ?? []), ...page.runs]);
          return { lines, next: older, ...countsOf(page) };
        });
        if (!isStopped) fail(undefined);
      } catch (problem) {
        if (!isStopped) fail(problem as ApiProblem);
      }
    },
    async loadOlder() {
      if (older === undefined || isLoadingOlder) return;
      isLoadingOlder = true;
      const page = await ask({ limit: pageSize, before: older }).catch(() => undefined);
      isLoadingOlder = false;
      if (page === undefined) return;
      older = page.next;
      update((before) => before && { ...before, lines: mergeLines(before.lines, page.runs), next: page.next });
    },
    hear(lines, removed) {
      update((before) => before && { ...before, lines: mergeLines(before.lines, lines, removed) });
      clearTimeout(timer);
      timer = setTimeout(() => void recount(), countMs);
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

function countsOf({
  counts,
  summary = "",
  workflows,
  starters,
  spend_today: spendToday,
}: RunLines): Pick<Runs, "counts" | "summary" | "workflows" | "starters" | "spendToday"> {
  return { counts, summary, workflows, starters, spendToday };
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
