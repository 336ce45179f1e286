import type { Catalog } from "../../src/block/catalog.ts";
import { foldEvents } from "../../src/engine/restore-state.ts";
import type { RunState } from "../../src/engine/state.ts";
import { atOnce } from "../../src/util/time-slice.ts";
import { checkEffects } from "./check-effects.ts";
import { checkFinally } from "./check-finally.ts";
import { checkSaid } from "./check-said.ts";
import { type Course, followCourse } from "./course.ts";
import { digestOf } from "./digest.ts";
import type { DriverProcess } from "./driver-process.ts";
import type { Evidence } from "./evidence.ts";
import type { Report, Violation } from "./violation.ts";

/** What the evidence tells once it has been looked through. */
export interface Findings {
  readonly violations: readonly Violation[];
  readonly course: Course;
  /** Absent when there is no run yet, or it can't be restored. */
  readonly state: RunState | undefined;
}

/** Holds what is left against what all processes of the case have said, and against what was left before. */
export function checkEvidence(
  evidence: Evidence,
  before: Evidence | undefined,
  processes: readonly DriverProcess[],
  catalog: Catalog,
): Findings {
  const violations: Violation[] = [];
  const report: Report = (promised, detail) => void violations.push({ promised, detail });
  if (evidence.damage !== undefined) report("sound database", evidence.damage);
  checkNumbers(evidence, before, report);
  const course = followCourse(evidence.events);
  for (const fault of course.faults) report("course of a block", fault);
  const state = restore(evidence, catalog, report);
  if (state !== undefined) checkSummary(evidence, state, report);
  checkSaid(evidence, state, processes, report);
  if (state !== undefined) checkFinally(evidence.events, state, report);
  checkEffects(evidence.ledger, course, state, processes, report);
  return { violations, course, state };
}

function checkNumbers({ runs, sequences, events }: Evidence, before: Evidence | undefined, report: Report): void {
  if (runs.length > 1) report("one truth", `one idempotency key has started ${runs.length} runs`);
  const gap = sequences.findIndex((sequence, index) => sequence !== index + 1);
  if (gap >= 0) report("one truth", `event ${gap + 1} has number ${sequences[gap]}`);
  const changed = (before?.events ?? []).findIndex((event, index) => digestOf(event) !== digestOf(events[index]));
  if (changed >= 0) report("one truth", `event ${changed + 1} is not what it was`);
}

function restore({ events }: Evidence, catalog: Catalog, report: Report): RunState | undefined {
  if (events.length === 0) return undefined;
  const state = atOnce(foldEvents(events, catalog));
  if (state.ok) return state.value;
  report("resumable", `the events can't be restored: ${state.error.reason}`);
  return undefined;
}

function checkSummary({ runs: [summary], events }: Evidence, state: RunState, report: Report): void {
  if (summary === undefined) return;
  const compare = (what: string, one: unknown, other: unknown): void => {
    if (one !== other) report("one truth", `the summary has ${what} ${one}, by the events it is ${other}`);
  };
  compare("status", summary.status, statusOf(state));
  compare("sequence", summary.sequence, events.length);
  compare("time to wake", summary.wakeAt, state.wakeAt ?? null);
  const asked = summary.questions.map(({ id }) => id);
  compare("questions", asked.sort().join(), [...state.questions.keys()].sort().join());
}

function statusOf({ finished, paused, questions }: RunState): string {
  if (finished !== undefined) return finished.outcome === "success" ? "success" : "failure";
  if (!paused) return "running";
  return questions.size > 0 ? "paused" : "sleeping";
}
