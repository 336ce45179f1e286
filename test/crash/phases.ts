import type { RunState } from "../../src/engine/state.ts";
import type { Course } from "./course.ts";
import type { DriverProcess } from "./driver-process.ts";
import type { Evidence } from "./evidence.ts";

const ordinaryPhases = [
  "before the intent",
  "during the effect",
  "between effect and result",
  "while pausing",
  "while resuming",
  "while taking over",
] as const;

/** Those of runs in which something is tried again or sleeps. */
export const sleepyPhases = [
  "while an attempt ends",
  "between attempts",
  "during a later attempt",
  "while sleeping",
  "while waking",
] as const;

/** Where in the life of a run a kill can fall. A rig that misses one of them has tested less than it seems. */
export type Phase = (typeof ordinaryPhases)[number] | (typeof sleepyPhases)[number];
export const phases: readonly Phase[] = [...ordinaryPhases, ...sleepyPhases];

/** Where a process was when it was killed, from what it said and what is left: it may have been in the middle of several things. */
export function phasesOf(
  { said, pid }: DriverProcess,
  { events, ledger, runs: [summary] }: Evidence,
  { intents }: Course,
  state: RunState | undefined,
): ReadonlySet<Phase> {
  const found = new Set<Phase>();
  const tried = said.findLast((one) => one.say === "try");
  if (tried !== undefined && tried.from > events.length) {
    const types = new Set(tried.events.map(([type]) => type));
    const some = (...names: readonly string[]): boolean => names.some((name) => types.has(name));
    if (some("block-started", "block-resumed")) found.add("before the intent");
    if (some("attempt-ended")) found.add("while an attempt ends");
    if (some("block-woken")) found.add("while waking");
    if (some("block-paused", "run-paused")) found.add("while pausing");
    if (some("question-answered", "block-resumed", "run-resumed")) found.add("while resuming");
  }
  const isHeld = summary?.lease?.owner.pid === pid;
  if (!isHeld || state === undefined || state.finished !== undefined) return found;
  // One that has not said so yet has only just got it.
  const held = said.findLast((one) => one.say === "held" && one.fence === summary.fence);
  const sequence = held?.say === "held" ? held.sequence : events.length;
  if (events.length === sequence) found.add(summary.fence === 1 ? "before the intent" : "while taking over");
  else if (state.paused) found.add("while pausing");
  for (const { stage } of state.nodes.values()) {
    if (stage.kind === "sleeping") found.add(stage.about === "retry" ? "between attempts" : "while sleeping");
    if (stage.kind === "woken" && stage.about !== "repeat") found.add("while waking");
  }
  for (const intent of intents) {
    if (intent.end !== "open" || intent.sequence <= sequence) continue;
    const { key, attempt, step, isTriedAgain } = intent;
    const isDone = ledger.some((line) => line.key === key && line.attempt === attempt && line.step === step);
    if (isTriedAgain) found.add("during a later attempt");
    found.add(isDone ? "between effect and result" : "during the effect");
    if (step !== "run") found.add("while resuming");
  }
  return found;
}
