import { roundUsd } from "../../block/spend.ts";
import { type Problem, problem } from "../../diagnostic/problem.ts";
import { err, ok, type Result } from "../../util/result.ts";
import type { PageStanding, RunLine, RunLines } from "./page-records.ts";
import { describeSpend } from "./run-line.ts";
import { summariseRuns } from "./summarise-runs.ts";

export interface LineQuery {
  /** Any of these; all when absent. */
  readonly standings?: readonly PageStanding[] | undefined;
  readonly workflow?: string | undefined;
  readonly startedBy?: string | undefined;
  /** In its workflow, label, id, what it says or who started it, whatever the case. */
  readonly text?: string | undefined;
  /** Only those that began at this time or later, in milliseconds since 1970. */
  readonly since?: number | undefined;
  /** When the reader's day began: with it, the list is told in a sentence. */
  readonly today?: number | undefined;
  /** Id of a run: only those that began before it. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** A page of the list, and what is told of all runs beside it. The lines are given newest first. */
export function chooseLines(
  lines: ReadonlyMap<string, RunLine>,
  { standings, workflow, startedBy, text = "", since = Number.NEGATIVE_INFINITY, today, before, limit }: LineQuery,
  now: Date,
): Result<RunLines, Problem> {
  if (before !== undefined && !lines.has(before)) {
    return err(problem("unknown-run", `There is no run '${before}' any more.`, "Ask for the list from its beginning."));
  }
  const wanted = text.trim().toLowerCase();
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
  const counts: { -readonly [Standing in PageStanding]?: number } = {};
  const ofToday: typeof counts = {};
  const workflows = new Set<string>();
  const starters = new Set<string>();
  const runs: RunLine[] = [];
  let [isAfter, hasMore, spentToday] = [before === undefined, false, 0];
  for (const line of lines.values()) {
    const isIn = isAfter;
    if (line.run_id === before) isAfter = true;
    workflows.add(line.workflow);
    // Each rollback has a starter of its own, which nobody looks for.
    if (line.started_by !== undefined && !line.started_by.startsWith("rollback of ")) starters.add(line.started_by);
    const startedAt = Date.parse(line.started_at);
    if (startedAt >= midnight) spentToday += line.spend?.usd ?? 0;
    if (startedAt < since || (workflow !== undefined && line.workflow !== workflow)) continue;
    if (startedBy !== undefined && line.started_by !== startedBy) continue;
    if (wanted !== "" && !holds(line, wanted)) continue;
    counts[line.standing] = (counts[line.standing] ?? 0) + 1;
    if (today !== undefined && startedAt >= today) ofToday[line.standing] = (ofToday[line.standing] ?? 0) + 1;
    if (!isIn || standings?.includes(line.standing) === false) continue;
    if (runs.length < limit) runs.push(line);
    else hasMore = true;
  }
  const last = runs.at(-1);
  return ok({
    runs,
    ...(hasMore && last !== undefined ? { next: last.run_id } : {}),
    counts,
    ...(today === undefined ? {} : { summary: summariseRuns(counts, ofToday) }),
    ...(spentToday === 0 ? {} : { spend_today: describeSpend(roundUsd(spentToday)) }),
    workflows: [...workflows].sort(),
    starters: [...starters].sort(),
  });
}

function holds({ workflow, label = "", run_id, says, started_by = "" }: RunLine, text: string): boolean {
  return `${workflow}\n${label}\n${run_id}\n${says}\n${started_by}`.toLowerCase().includes(text);
}
