import { setTimeout as delay } from "node:timers/promises";
import type { OnInterrupted } from "../../src/block/define-block.ts";
import type { DriverProcess } from "./driver-process.ts";
import type { AnswerMode, Job } from "./protocol.ts";

/** When a process is killed: some time after it has said something, or at a point of its writes, where it kills itself. */
export type Kill =
  | {
      readonly kind: "moment";
      readonly since: "up" | "ready" | "held" | "asked" | "answered" | "between attempts" | "asleep";
      readonly afterMs: number;
    }
  | { readonly kind: "write"; readonly at: number | string };

/** A part of a case, from the start of its processes until all of them are gone. */
export type Episode =
  | {
      readonly kind: "alone";
      readonly answers: AnswerMode;
      readonly onInterrupted?: OnInterrupted;
      readonly kill?: Kill;
    }
  /** While one process drives, another answers its first question, or drives on if the first has gone. */
  | { readonly kind: "answered"; readonly victim: Victim; readonly kill?: Kill }
  /** While one process drives, another cancels the run. */
  | { readonly kind: "cancelled"; readonly afterMs: number; readonly victim: Victim; readonly kill?: Kill }
  /** Two processes want the same run at the same moment. Both are killed, if they get that far. */
  | { readonly kind: "race"; readonly kill?: Kill }
  /**
   * One process takes another for dead that drives the run, or was stopped in the middle of doing so and then goes on. The first
   * is not killed.
   */
  | { readonly kind: "stale"; readonly afterMs: number; readonly stoppedMs: number; readonly kill?: Kill };

/** Which of the two processes is killed. */
type Victim = "first" | "second";

export type Launch = (job: Partial<Job>, killAtWrite?: number | string) => DriverProcess;

/** Lets an episode happen; resolves when none of its processes is left. */
export async function performEpisode(episode: Episode, launch: Launch): Promise<readonly DriverProcess[]> {
  const processes = await begin(episode, launch);
  await Promise.all(processes.map(({ ended }) => ended));
  return processes;
}

function begin(episode: Episode, launch: Launch): Promise<DriverProcess[]> | DriverProcess[] {
  switch (episode.kind) {
    case "alone": {
      const { answers, onInterrupted, kill } = episode;
      const job = { answers, ...(onInterrupted === undefined ? {} : { onInterrupted }) };
      const driver = launchVictim(launch, job, kill);
      driver.play({ kind: "drive" });
      return [driver];
    }
    case "answered":
      return beginAnswered(episode, launch);
    case "cancelled":
      return beginCancelled(episode, launch);
    case "race":
      return beginRace(episode, launch);
    case "stale":
      return beginStale(episode, launch);
  }
}

/** Long enough for the other process to find the run driven when it answers. */
const slowPaceMs = 80;

async function beginAnswered(episode: Episode & { kind: "answered" }, launch: Launch): Promise<DriverProcess[]> {
  const [ofFirst, ofSecond] = killsOf(episode);
  const driver = launchVictim(launch, { answers: "none", paceMs: slowPaceMs }, ofFirst);
  const answerer = launchVictim(launch, { answers: "when paused" }, ofSecond);
  await answerer.until("up");
  driver.play({ kind: "drive" });
  const asked = await driver.until("asked");
  const held = await driver.until("held");
  if (asked === undefined || held === undefined) answerer.signal("SIGTERM");
  else answerer.play({ kind: "answer", runId: held.runId, questionIds: [asked.questionId] });
  return [driver, answerer];
}

async function beginCancelled(episode: Episode & { kind: "cancelled" }, launch: Launch): Promise<DriverProcess[]> {
  const [ofFirst, ofSecond] = killsOf(episode);
  const driver = launchVictim(launch, { answers: "at once" }, ofFirst);
  const canceller = launchVictim(launch, { answers: "none" }, ofSecond);
  await canceller.until("up");
  driver.play({ kind: "drive" });
  const held = await driver.until("held");
  await delay(episode.afterMs);
  if (held === undefined) canceller.signal("SIGTERM");
  else canceller.play({ kind: "cancel", runId: held.runId });
  return [driver, canceller];
}

async function beginRace({ kill }: Episode & { kind: "race" }, launch: Launch): Promise<DriverProcess[]> {
  const job = { answers: "at once", waitsAtClaim: true } as const;
  const rivals = [launchVictim(launch, job, kill), launchVictim(launch, job, kill)];
  for (const rival of rivals) rival.play({ kind: "drive" });
  // Who makes the run, or finds it ended, has nothing to claim.
  await Promise.all(rivals.map((rival) => rival.until("at-claim", "held", "over")));
  for (const rival of rivals) rival.write("go");
  return rivals;
}

async function beginStale(episode: Episode & { kind: "stale" }, launch: Launch): Promise<DriverProcess[]> {
  const driver = launch({ answers: "at once" });
  const newcomer = launchVictim(launch, { answers: "at once", believesDead: true }, episode.kill);
  await newcomer.until("up");
  driver.play({ kind: "drive" });
  await driver.until("ready");
  await delay(episode.afterMs);
  if (episode.stoppedMs > 0) driver.signal("SIGSTOP");
  newcomer.play({ kind: "drive" });
  await newcomer.until("ready");
  await delay(episode.stoppedMs);
  driver.signal("SIGCONT");
  return [driver, newcomer];
}

function killsOf({ victim, kill }: { readonly victim: Victim; readonly kill?: Kill }): readonly (Kill | undefined)[] {
  return victim === "first" ? [kill, undefined] : [undefined, kill];
}

function launchVictim(launch: Launch, job: Partial<Job>, kill: Kill | undefined): DriverProcess {
  if (kill?.kind === "write") return launch(job, kill.at);
  const victim = launch(job);
  if (kill !== undefined) void killAfter(victim, kill);
  return victim;
}

async function killAfter(victim: DriverProcess, { since, afterMs }: Kill & { kind: "moment" }): Promise<void> {
  if ((await victim.until(since)) === undefined) return;
  await delay(afterMs);
  victim.signal("SIGKILL");
}
