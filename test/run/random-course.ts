import { type Outcome, openTestEngine, type TestRun } from "../rig/engine.ts";
import { Steps } from "../rig/steps.ts";
import { checkEnd, checkMoment } from "./invariants.ts";
import type { RandomWorkflow } from "./random-workflow.ts";

/** Numbers from a seed: the same seed gives the same course of a run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export interface Course {
  /** Decides how each block ends, whatever the order. */
  readonly fate: number;
  /** Decides what ends next. */
  readonly order: number;
  /** Whether the run is cancelled somewhere on the way. */
  readonly cancels: boolean;
}

/** Drives a run to its end by hand, checking at every moment what must always hold. */
export async function followCourse({ root, library }: RandomWorkflow, course: Course): Promise<Outcome> {
  const steps = new Steps();
  const engine = openTestEngine({ types: [steps.type], workflows: library });
  try {
    const next = createRandom(course.order);
    const run = engine.start(root, { maxParallel: 1 + (course.fate % 4) });
    let driving = run.settled;
    for (let moves = 0; moves < 2_000; moves++) {
      await run.idle();
      const { state } = run.runner;
      if (state.finished !== undefined) {
        const outcome = await driving;
        checkEnd(outcome, engine.engine.workflows.catalog);
        return outcome;
      }
      checkMoment(state, steps.running);
      const wasPaused = state.paused;
      if (course.cancels && next(8) === 0) run.runner.cancel("cancelled", true);
      else move(run, steps, next, course.fate);
      if (wasPaused) driving = run.goOn();
    }
    throw new Error("The run does not end.");
  } finally {
    await engine.close();
  }
}

function move(run: TestRun, steps: Steps, next: (below: number) => number, fate: number): void {
  const running = steps.running;
  const pending = [...run.runner.state.pending.values()];
  const choice = next(running.length + pending.length);
  if (choice >= running.length) {
    const waiting = pending[choice - running.length];
    if (waiting === undefined) throw new Error("Nothing runs and nothing waits, but the run has not ended.");
    const answered = run.answer(waiting.path, "yes");
    if (!answered.ok) throw new Error(answered.error);
    return;
  }
  end(steps, running[choice] as string, fate);
}

function end(steps: Steps, path: string, fate: number): void {
  const wentOn = steps.answer(path) !== undefined;
  const kind = hash(`${wentOn}${path}`, fate) % 10;
  if (kind < 6) steps.succeed(path);
  else if (kind < 8) steps.fail(path);
  else if (kind < 9 || wentOn) steps.crash(path);
  else steps.pause(path);
}

function hash(text: string, seed: number): number {
  let value = seed | 0;
  for (const character of text) value = Math.imul(value ^ character.charCodeAt(0), 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}
