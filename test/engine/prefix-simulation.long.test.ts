import fc from "fast-check";
import { expect, test } from "vitest";
import { createCatalog } from "../../src/block/catalog.ts";
import { blockTypes } from "../../src/blocks/index.ts";
import type { RunEvent, RunStarted } from "../../src/engine/events.ts";
import { nodeAt } from "../../src/engine/node-at.ts";
import { createPlanSource } from "../../src/engine/plan-source.ts";
import { textOf } from "../rig/engine.ts";
import { createFakeClock, type FakeClock } from "../rig/fake-clock.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import { Steps } from "../rig/steps.ts";
import { BareRun, type BareSurroundings } from "./bare-run.ts";
import { checkEnd } from "./check-end.ts";
import { answerFor, checkAnswers, createRandom, meetFate } from "./fates.ts";
import { checkFresh } from "./fresh-scheduler.ts";
import { checkMoment, isEnding, msUntilWake } from "./invariants.ts";
import { followCourse } from "./random-course.ts";
import { type RandomWorkflow, randomWorkflow } from "./random-workflow.ts";
import { foldAnew, timeless } from "./snapshot.ts";

const runs = scaled({ slice: 3, long: 600 });
const seed = 20_240_608;
/** Of longer runs only so many prefixes are tried, by chance. */
const mostPrefixes = 24;

interface Surroundings extends BareSurroundings {
  readonly clock: FakeClock;
}

/** Goes on from events, with the same fates in an order of its own, to the end. */
async function goOnFrom(
  before: readonly RunEvent[],
  surroundings: Surroundings,
  steps: Steps,
  fate: number,
  next: (below: number) => number,
): Promise<BareRun> {
  const { clock } = surroundings;
  const run = new BareRun(before, surroundings);
  for (;;) {
    await run.goOn();
    const { state } = run;
    if (state.finished !== undefined) return run;
    checkMoment(state, steps.running, surroundings.processSlots, clock.now());
    checkAnswers(steps, run.events);
    const pending = [...state.questions].filter(([, node]) => !isEnding(node));
    const choice = next(steps.running.length + pending.length + Math.min(1, state.sleeping.size));
    const path = steps.running[choice];
    const [id, node] = pending[choice - steps.running.length] ?? [];
    if (path !== undefined) meetFate(steps, nodeAt(state, path), run.events, fate);
    else if (id !== undefined && node !== undefined) await run.answer(id, answerFor(node, run.events));
    else clock.advance(msUntilWake(state, clock));
  }
}

function choosePrefixes(length: number, next: (below: number) => number): number[] {
  const all = Array.from({ length: length - 1 }, (_, index) => index + 1);
  while (all.length > mostPrefixes) all.splice(next(all.length), 1);
  return all;
}

function surround(
  { library }: RandomWorkflow,
  started: RunStarted,
  steps: Steps,
  processSlots: number,
  clock: FakeClock,
): Surroundings {
  const catalog = createCatalog([...blockTypes, steps.type, steps.command, steps.computed]);
  const texts = Object.entries(library).map(
    ([name, text]) => [name, { file: name, text: textOf(text, name) }] as const,
  );
  return { plans: createPlanSource(started.definitions, catalog), processSlots, clock, library: new Map(texts) };
}

test.each([
  { how: "undisturbed", course: {}, limit: "10h" },
  { how: "interrupted", course: { deaths: true }, limit: "10h" },
] as const)(
  "from any of its events on, a run that was $how ends as it would have, in whatever order its blocks end",
  {
    timeout: longTimeout,
  },
  async ({ course, limit }) => {
    const clock = createFakeClock({ intervals: true });
    await fc.assert(
      fc.asyncProperty(randomWorkflow(limit), fc.nat(), fc.nat(), async (workflow, fate, order) => {
        const whole = await followCourse(workflow, { fate, order, ...course }, clock);
        const { events, processSlots } = whole;
        const steps = new Steps();
        const surroundings = surround(workflow, events[0] as RunStarted, steps, processSlots, clock);
        const next = createRandom(order + 1);
        for (const length of choosePrefixes(events.length, next)) {
          const run = await goOnFrom(events.slice(0, length), surroundings, steps, fate, next);
          checkEnd(run.state, run.events, surroundings.plans);
          if (workflow.dependsOnOrder) continue;
          expect(timeless(run.state.root.record), `from event ${length} on`).toEqual(timeless(whole.state.root.record));
          expect(run.state.finished?.remarks).toEqual(whole.state.finished?.remarks);
        }
      }),
      { numRuns: runs, seed },
    );
  },
);

test("from any of its events on, also in the middle of a turn, a scheduler knows at once all that can happen", {
  timeout: longTimeout,
}, async () => {
  const clock = createFakeClock({ intervals: true });
  await fc.assert(
    fc.asyncProperty(randomWorkflow("1s"), fc.nat(), fc.nat(), async (workflow, fate, order) => {
      const course = { fate, order, deaths: true, cancels: true, time: true } as const;
      const { events, plans } = await followCourse(workflow, course, clock);
      for (let length = 1; length <= events.length; length++) checkFresh(foldAnew(events.slice(0, length), plans));
    }),
    { numRuns: runs, seed },
  );
});

test("from any of its events on, also in the middle of a turn, a run that was cancelled or timed out ends", {
  timeout: longTimeout,
}, async () => {
  const clock = createFakeClock({ intervals: true });
  await fc.assert(
    fc.asyncProperty(randomWorkflow("1s"), fc.nat(), fc.nat(), async (workflow, fate, order) => {
      const course = { fate, order, deaths: true, cancels: true, time: true } as const;
      const { events, processSlots } = await followCourse(workflow, course, clock);
      const steps = new Steps();
      const surroundings = surround(workflow, events[0] as RunStarted, steps, processSlots, clock);
      const next = createRandom(order + 1);
      for (const length of choosePrefixes(events.length, next)) {
        const run = await goOnFrom(events.slice(0, length), surroundings, steps, fate, next);
        checkEnd(run.state, run.events, surroundings.plans);
      }
    }),
    { numRuns: runs, seed },
  );
});
