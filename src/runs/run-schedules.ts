import { createHash } from "node:crypto";
import type { ScheduleEntry } from "../definition/workflow-definition.ts";
import type { LibraryEntry } from "../library/library.ts";
import { nextTimes } from "../util/cron-times.ts";
import { waitWithin } from "../util/wait-within.ts";
import { queueOf } from "./choose-queue.ts";
import { explainFailure } from "./explain-failure.ts";
import { explainStart } from "./explain-start.ts";
import type { Platform } from "./platform.ts";
import type { Runtime } from "./runtime.ts";
import { queueRun } from "./start-run.ts";

export interface ScheduleOptions {
  readonly platform: Platform;
  /** The directory whose workflows, with those of the user and the library, are started. */
  readonly workspace: string;
  /** With the files as they are now. */
  openRuntime(workspace: string): Runtime;
}

/** The clock of the machine may be set meanwhile, and files may change. */
const lookMs = 60_000;
const retryMs = 10_000;
const timesAtOnce = 12;
/** What became due before a worker was there, and nobody has started by then, is left out. */
const latestMs = 10 * 60_000;
/** A worker that was there and could not reach the database, or was stopped, makes up for what it missed in so long. */
const longestMissMs = 7 * 24 * 60 * 60_000;

/**
 * Starts workflows when their `schedule` says so, for workers to take, until the signal comes. All workers do this; the journal sees to
 * it that a due time is one run, because they all ask for it with the same key.
 */
export async function runSchedules(options: ScheduleOptions, signal: AbortSignal): Promise<void> {
  const { clock, warn } = options.platform;
  let seenUntil = clock.now().getTime() - latestMs;
  /** Told of once, until it is there again. */
  let isAway = false;
  /** Those that nobody trusts, each told of once. */
  const untrusted = new Set<string>();
  while (!signal.aborted) {
    const now = clock.now();
    let waitMs = retryMs;
    try {
      const after = new Date(Math.max(Math.min(seenUntil, now.getTime()), now.getTime() - longestMissMs));
      const next = await startDue(options, after, now, untrusted, signal);
      seenUntil = now.getTime();
      isAway = false;
      waitMs = Math.min(lookMs, next - clock.now().getTime());
    } catch (error) {
      if (!isAway) warn(`Schedules can't be looked at: ${describe(error)} What is due meanwhile is started later.`);
      isAway = true;
    }
    if (!signal.aborted) await waitWithin(Math.max(waitMs, 1), () => undefined, signal);
  }
}

/** The workflows of a directory, its user and the library that workers start by themselves. */
export function scheduledIn({ workflows: { library } }: Runtime): LibraryEntry[] {
  return library.entries().filter((entry) => entry.trusted && (entry.head()?.schedule ?? []).length > 0);
}

/** Starts what became due after one time and until another; when something is due next. */
async function startDue(
  { platform, workspace, openRuntime }: ScheduleOptions,
  after: Date,
  now: Date,
  untrusted: Set<string>,
  signal: AbortSignal,
): Promise<number> {
  const runtime = openRuntime(workspace);
  let soonest = Number.POSITIVE_INFINITY;
  for (const entry of runtime.workflows.library.entries()) {
    const schedules = entry.head()?.schedule ?? [];
    if (entry.trusted) untrusted.delete(entry.name);
    else if (schedules.length > 0 && !untrusted.has(entry.name)) {
      untrusted.add(entry.name);
      platform.warn(
        `${entry.name} has a schedule and is not started: it is not trusted. Look at ${entry.file}, then trust it.`,
      );
    }
    if (!entry.trusted) continue;
    for (const schedule of schedules) {
      const { due, next } = findDue(schedule, after, now);
      if (next !== undefined) soonest = Math.min(soonest, next.getTime());
      if (due === undefined || signal.aborted) continue;
      const problem = await startOne(runtime, entry.name, schedule, due, workspace);
      if (problem !== undefined)
        platform.warn(`${entry.name}, due at ${due.toISOString()}, can't be started: ${problem}`);
    }
  }
  return soonest;
}

/** The latest time that has come, and the next one. A run for every time that was missed would be of no use to anybody: the latest stands for them. */
function findDue(
  { cron, timezone }: ScheduleEntry,
  after: Date,
  now: Date,
): { readonly due: Date | undefined; readonly next: Date | undefined } {
  let due: Date | undefined;
  for (let from = after; ; ) {
    const times = nextTimes(cron, from, timesAtOnce, timezone);
    due = times.findLast((time) => time <= now) ?? due;
    const next = times.find((time) => time > now);
    const last = times.at(-1);
    if (next !== undefined || last === undefined) return { due, next };
    from = last;
  }
}

/** What keeps it from being started, if anything does. That another worker was faster is no problem. */
async function startOne(
  runtime: Runtime,
  name: string,
  schedule: ScheduleEntry,
  due: Date,
  workspace: string,
): Promise<string | undefined> {
  const { plan, diagnostics } = runtime.workflows.findByName(name);
  if (plan === undefined) return diagnostics.find(({ level }) => level === "error")?.message ?? "it is broken.";
  const { inputs, cron } = schedule;
  const queued = await queueRun(runtime, plan, {
    inputs,
    workspace,
    queue: queueOf(plan.definition, runtime.platform.host),
    idempotencyKey: keyOf(schedule, due),
    startedBy: `schedule '${cron.text}'`,
  });
  if (queued.ok || queued.error.kind === "exists" || queued.error.kind === "key-taken") return undefined;
  return explainStart(queued.error)
    .map(({ message }) => message)
    .join(" ");
}

/** Of two that are due at the same time with other inputs both are started. */
function keyOf({ cron, timezone, inputs }: ScheduleEntry, due: Date): string {
  const what = createHash("sha256").update(JSON.stringify([cron.text, timezone, inputs]));
  return `schedule ${due.toISOString()} ${what.digest("base64url")}`;
}

function describe(error: unknown): string {
  return explainFailure(error)?.message ?? (error instanceof Error ? error.message : String(error));
}
