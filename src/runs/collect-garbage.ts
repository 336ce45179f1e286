import type { Journal } from "../journal/journal.ts";
import { eachRun } from "./each-run.ts";
import type { Platform, Retention } from "./platform.ts";
import { isHeld, type RunStatus, statusOf } from "./read-run.ts";

export interface CollectOptions extends Retention {
  /** Only says what would be removed. */
  readonly isDryRun: boolean;
}

/** What has been removed, as data. */
export interface Collected {
  readonly dry_run: boolean;
  readonly runs: readonly CollectedRun[];
  /** Ids of runs that were gone already, but not their logs. */
  readonly leftover_logs: readonly string[];
  /** An estimate in a dry run. */
  readonly freed_bytes: number;
  /** By the journal and all logs, before anything was removed. */
  readonly used_bytes: number;
  /** Logs that could not be removed, and why. */
  readonly problems: readonly string[];
}

export interface CollectedRun {
  readonly run_id: string;
  readonly workflow: string;
  readonly status: RunStatus;
  readonly finished_at: string;
  /** Whether it was too old, or others needed the space. */
  readonly reason: "age" | "size";
}

/** Removes runs that have ended, the oldest first, and logs whose run is gone. What can still go on is never touched. */
export async function collectGarbage(platform: Platform, options: CollectOptions): Promise<Collected> {
  const journal = await platform.journal();
  const now = platform.clock.now().getTime();
  const before = await surveyState(platform, journal);
  const { leftovers, usedBytes } = before;
  const found = { dry_run: options.isDryRun, leftover_logs: leftovers, used_bytes: usedBytes };
  let chosen = chooseRuns(before, options, now);
  if (options.isDryRun) {
    const bytes = chosen.reduce((sum, { run }) => sum + run.bytes, before.leftoverBytes);
    return { ...found, runs: chosen.map(describeChosen), freed_bytes: Math.round(bytes), problems: [] };
  }
  const problems = leftovers.flatMap((runId) => removeLogs(platform, runId));
  const runs: CollectedRun[] = [];
  for (;;) {
    const count = runs.length;
    for (const one of chosen) {
      if (!(await journal.delete(one.run.runId))) continue;
      problems.push(...removeLogs(platform, one.run.runId), ...(await removeScratch(platform, one.run)));
      runs.push(describeChosen(one));
    }
    if (runs.length === count) break;
    // What a run takes up in the journal is an estimate, so whether enough has gone shows only now.
    chosen = chooseRuns(await surveyState(platform, journal), options, now);
  }
  await journal.housekeep();
  const after = await surveyState(platform, journal);
  return { ...found, runs, freed_bytes: Math.max(0, usedBytes - after.usedBytes), problems };
}

function removeLogs({ logs }: Platform, runId: string): string[] {
  try {
    logs.remove(runId);
    return [];
  } catch (error) {
    return [`The logs of ${runId} can't be removed: ${error instanceof Error ? error.message : String(error)}.`];
  }
}

/** Of a run that did not succeed, for a rerun of it. */
async function removeScratch(platform: Platform, { runId, workspace }: EndedRun): Promise<string[]> {
  try {
    await platform.createScratch(workspace, runId, { mayExist: true }).remove();
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [`The scratch directory of ${runId} can't be removed: ${why}.`];
  }
}

const dayMs = 24 * 60 * 60 * 1000;

/** The same once a day, for whoever has just used the journal. It says nothing: what is wrong with the disk others will tell. */
export async function collectWhenDue(platform: Platform): Promise<void> {
  try {
    const journal = await platform.journal();
    const { housekeptAt: last } = await journal.usage();
    // A clock that was set back must not put it off for long.
    const isDue = last === undefined || Math.abs(platform.clock.now().getTime() - last) > dayMs;
    if (isDue) await collectGarbage(platform, { ...platform.retention, isDryRun: false });
  } catch {
    // Nobody has asked for it, so nobody is to suffer from it.
  }
}

interface Survey {
  readonly usedBytes: number;
  readonly leftoverBytes: number;
  readonly leftovers: readonly string[];
  /** Those that have ended, the oldest end first. */
  readonly ended: readonly EndedRun[];
}

interface EndedRun {
  readonly runId: string;
  readonly workspace: string;
  readonly workflow: string;
  readonly status: RunStatus;
  readonly finishedAt: string;
  /** With its part of the journal, by the number of its events. */
  readonly bytes: number;
}

async function surveyState(platform: Platform, journal: Journal): Promise<Survey> {
  const { logs } = platform;
  // Before the runs: the log of one that is made meanwhile is none without a run.
  const logged = new Set(logs.runs());
  const { bytes: journalBytes } = await journal.usage();
  const ended: (Omit<EndedRun, "bytes"> & { readonly events: number; readonly logBytes: number })[] = [];
  let events = 0;
  let logBytes = 0;
  for await (const summary of eachRun(journal, {})) {
    const { runId, workflow, workspace, finishedAt } = summary;
    const size = logged.delete(runId) ? logs.size(runId) : 0;
    logBytes += size;
    events += summary.sequence;
    // Whoever drove it may still have to give it back.
    if (finishedAt === null || isHeld(summary, platform)) continue;
    const status = statusOf(summary, platform);
    ended.push({ runId, workflow, workspace, status, finishedAt, events: summary.sequence, logBytes: size });
  }
  const leftoverBytes = [...logged].reduce((sum, runId) => sum + logs.size(runId), 0);
  return {
    usedBytes: journalBytes + logBytes + leftoverBytes,
    leftoverBytes,
    leftovers: [...logged],
    ended: ended
      .map((run) => ({ ...run, bytes: run.logBytes + (journalBytes * run.events) / events }))
      .sort((a, b) => (a.finishedAt < b.finishedAt ? -1 : 1)),
  };
}

interface ChosenRun {
  readonly run: EndedRun;
  readonly reason: CollectedRun["reason"];
}

function chooseRuns({ usedBytes, leftoverBytes, ended }: Survey, retention: Retention, now: number): ChosenRun[] {
  const chosen: ChosenRun[] = [];
  let left = usedBytes - leftoverBytes;
  for (const run of ended) {
    const isOld = now - Date.parse(run.finishedAt) > retention.maxAgeMs;
    if (!isOld && left <= retention.maxBytes) break;
    chosen.push({ run, reason: isOld ? "age" : "size" });
    left -= run.bytes;
  }
  return chosen;
}

function describeChosen({ run, reason }: ChosenRun): CollectedRun {
  const { runId, workflow, status, finishedAt } = run;
  return { run_id: runId, workflow, status, finished_at: finishedAt, reason };
}
