import type { Journal, RunSummary } from "../journal/journal.ts";
import { eachRun } from "./each-run.ts";
import { keptMs } from "./look-after-segments.ts";
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
  /** The same of what was kept so that they could be undone. */
  readonly leftover_blobs: readonly string[];
  /** The same of the workspaces that were made for them. */
  readonly leftover_workspaces: readonly string[];
  /** An estimate in a dry run. */
  readonly freed_bytes: number;
  /** By the journal, all logs, what is kept for undo and workspaces that were made, before anything was removed. */
  readonly used_bytes: number;
  /** Of these, what is kept for undo. */
  readonly undo_bytes: number;
  /** Of these, what nothing needs any more. */
  readonly unused_bytes: number;
  /** What could not be removed, and why. */
  readonly problems: readonly string[];
}

export interface CollectedRun {
  readonly run_id: string;
  readonly workflow: string;
  readonly status: RunStatus | "cancelled";
  readonly finished_at: string;
  /** Whether it was too old, or others needed the space. */
  readonly reason: "age" | "size";
}

/**
 * Removes runs that have ended, the oldest first, and what is left of runs that are gone. What can still go on is never touched. A run
 * goes from the journal first: whatever ends this in between leaves only what the next time finds.
 */
export async function collectGarbage(platform: Platform, options: CollectOptions): Promise<Collected> {
  const journal = await platform.journal();
  const now = platform.clock.now().getTime();
  const before = await surveyState(platform, journal);
  const { leftLogs, leftBlobs, leftWorkspaces, usedBytes, undoBytes, unusedBytes } = before;
  const left = {
    leftover_logs: leftLogs,
    leftover_blobs: leftBlobs,
    leftover_workspaces: leftWorkspaces,
    unused_bytes: unusedBytes,
  };
  const found = { dry_run: options.isDryRun, ...left, used_bytes: usedBytes, undo_bytes: undoBytes };
  let chosen = chooseRuns(before, options, now);
  if (options.isDryRun) {
    const bytes = chosen.reduce((sum, { run }) => sum + run.bytes, before.leftoverBytes);
    const freed = Math.min(Math.round(bytes), usedBytes);
    return { ...found, runs: chosen.map(describeChosen), freed_bytes: freed, problems: [] };
  }
  await platform.isolation.sweep();
  const problems = await removeLeftovers(platform, before);
  // What was left may be used by others too, so how much has gone with it shows only now.
  if (before.leftoverBytes > 0) chosen = chooseRuns(await surveyState(platform, journal), options, now);
  const runs: CollectedRun[] = [];
  for (;;) {
    const count = runs.length;
    for (const one of chosen) {
      if (!(await journal.delete(one.run.runId))) continue;
      problems.push(...(await removeParts(platform, one.run)));
      runs.push(describeChosen(one));
    }
    if (runs.length === count) break;
    // The same holds for the runs, and what each of them takes up in the journal is an estimate.
    const survey = await surveyState(platform, journal);
    problems.push(...(await removeWorkspaces(platform, survey)));
    chosen = chooseRuns(survey, options, now);
  }
  await journal.housekeep();
  // Workers do that by themselves, and may all be gone. Where it can't be done, nobody has handed runs to any from here.
  await platform.dispatch?.forget(keptMs).catch(() => {});
  const after = await surveyState(platform, journal);
  return { ...found, runs, freed_bytes: Math.max(0, usedBytes - after.usedBytes), problems };
}

/**
 * Removes what this machine has of runs that are gone: another one that shares the journal may have removed them, and knows nothing of our
 * files. It says nothing, as `collectWhenDue`.
 */
export async function sweepLeftovers(platform: Platform): Promise<void> {
  try {
    await removeLeftovers(platform, await surveyState(platform, await platform.journal()));
  } catch {
    // The next time comes.
  }
}

async function removeLeftovers(platform: Platform, survey: Survey): Promise<string[]> {
  const { logs, blobs } = platform;
  const { leftLogs, leftBlobs } = survey;
  const problems = await removeWorkspaces(platform, survey);
  for (const runId of leftLogs) problems.push(...(await attempt(`The logs of ${runId}`, () => logs.remove(runId))));
  for (const runId of leftBlobs) problems.push(...(await attempt(undoOf(runId), () => blobs.remove(runId))));
  problems.push(...(await attempt("What undo needs no more", () => blobs.sweep())));
  return problems;
}

async function removeWorkspaces({ workspaces }: Platform, { leftWorkspaces }: Survey): Promise<string[]> {
  const problems: string[] = [];
  for (const runId of leftWorkspaces) {
    problems.push(...(await attempt(`The workspace of ${runId}`, () => workspaces.remove(runId))));
  }
  return problems;
}

/** All of a run but what the journal had of it, and the workspace that was made for it: a rerun may work there. */
async function removeParts(platform: Platform, { runId, workspace }: EndedRun): Promise<string[]> {
  const { logs, blobs } = platform;
  return [
    ...(await attempt(`The logs of ${runId}`, () => logs.remove(runId))),
    ...(await attempt(undoOf(runId), () => blobs.remove(runId))),
    // Of a run that did not succeed, for a rerun of it.
    ...(await attempt(`The scratch directory of ${runId}`, () =>
      platform.createScratch(workspace, runId, { mayExist: true }).remove(),
    )),
  ];
}

function undoOf(runId: string): string {
  return `What was kept to undo ${runId}`;
}

async function attempt(what: string, remove: () => void | Promise<void>): Promise<string[]> {
  try {
    await remove();
    return [];
  } catch (error) {
    return [`${what} can't be removed: ${error instanceof Error ? error.message : String(error)}.`];
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
  readonly undoBytes: number;
  /** Of undo, what no run uses. */
  readonly unusedBytes: number;
  /** All that goes in any case. */
  readonly leftoverBytes: number;
  /** Ids of runs that are gone. */
  readonly leftLogs: readonly string[];
  readonly leftBlobs: readonly string[];
  /** No run works there any more either. */
  readonly leftWorkspaces: readonly string[];
  /** Those that have ended, the oldest end first. */
  readonly ended: readonly EndedRun[];
}

interface EndedRun {
  readonly runId: string;
  readonly workspace: string;
  readonly workflow: string;
  readonly status: RunStatus | "cancelled";
  readonly finishedAt: string;
  /** With its part of the journal, by the number of its events, and what it shares with others for undo. */
  readonly bytes: number;
}

/** A run that repeats another one, or takes it back, may work in what was made for that. */
async function whereItWorks(
  { runId, workspace, queue, host, rerunOf, undoOf }: RunSummary,
  journal: Journal,
): Promise<string> {
  if (queue === null || host === null || (rerunOf === null && undoOf === null)) return workspace;
  // One that can't be read can't go on.
  const events = await journal.read(runId).catch(() => []);
  for (const event of events) if (event.type === "workspace-made") return event.workspace;
  return workspace;
}

async function surveyState(platform: Platform, journal: Journal): Promise<Survey> {
  const { logs, blobs, workspaces } = platform;
  const made = await workspaces.sizes();
  const unusedWorkspaces = new Set(made.keys());
  // Before the runs: the log of one that is made meanwhile is none without a run.
  const logged = new Map(await logs.sizes());
  const kept = await blobs.usage();
  const keeping = new Map(kept.runs);
  const { bytes: journalBytes } = await journal.usage();
  const ended: (Omit<EndedRun, "bytes"> & { readonly events: number; readonly ownBytes: number })[] = [];
  /** Those that a run which can go on takes back: it needs what they have kept. */
  const undone = new Set<string | null>();
  let events = 0;
  let logBytes = 0;
  for await (const summary of eachRun(journal, {})) {
    const { runId, workflow, workspace, finishedAt } = summary;
    const size = logged.get(runId) ?? 0;
    logged.delete(runId);
    const ownBytes = size + (keeping.get(runId) ?? 0) + (made.get(runId) ?? 0);
    unusedWorkspaces.delete(runId);
    if (unusedWorkspaces.size > 0)
      unusedWorkspaces.delete(workspaces.ownerOf(await whereItWorks(summary, journal)) ?? "");
    keeping.delete(runId);
    logBytes += size;
    events += summary.sequence;
    // Whoever drove it may still have to give it back.
    if (finishedAt === null || isHeld(summary, platform)) {
      undone.add(summary.undoOf);
      continue;
    }
    const status = summary.cancelled ? "cancelled" : statusOf(summary, platform);
    ended.push({ runId, workflow, workspace, status, finishedAt, events: summary.sequence, ownBytes });
  }
  const leftLogBytes = [...logged.values()].reduce((sum, bytes) => sum + bytes, 0);
  const madeBytes = [...made.values()].reduce((sum, bytes) => sum + bytes, 0);
  const leftWorkspaceBytes = [...unusedWorkspaces].reduce((sum, runId) => sum + (made.get(runId) ?? 0), 0);
  const leftBlobBytes = [...keeping.values()].reduce((sum, bytes) => sum + bytes, 0);
  return {
    usedBytes: journalBytes + logBytes + leftLogBytes + kept.bytes + madeBytes,
    undoBytes: kept.bytes,
    unusedBytes: kept.unusedBytes,
    leftoverBytes: leftLogBytes + leftBlobBytes + leftWorkspaceBytes + kept.unusedBytes,
    leftLogs: [...logged.keys()],
    leftBlobs: [...keeping.keys()],
    leftWorkspaces: [...unusedWorkspaces],
    ended: ended
      .filter(({ runId }) => !undone.has(runId))
      .map((run) => ({ ...run, bytes: run.ownBytes + (journalBytes * run.events) / events }))
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
