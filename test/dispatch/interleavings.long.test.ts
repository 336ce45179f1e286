import fc from "fast-check";
import { expect, test } from "vitest";
import { createFakeClock } from "../rig/fake-clock.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import { type Kind, SimulatedFleet, slots } from "./simulated-fleet.ts";

type Action = readonly [name: (typeof actions)[number], at: number, isAtOnce: boolean];

const kinds: readonly Kind[] = ["chain", "asks", "sleeps", "limited", "cleans-up"];
const times = [10, 300, 3_000, 15_000, 70_000];
const actions = [
  ...["queue", "queue", "queue", "start", "kill", "drain", "release", "release", "release"],
  ...["answer", "answer", "cancel", "repeat", "away", "back", "advance", "advance", "advance"],
] as const;

const arbitraryCourse: fc.Arbitrary<{ readonly seed: number; readonly course: readonly Action[] }> = fc.record({
  seed: fc.nat(),
  course: fc.array(fc.tuple(fc.constantFrom(...actions), fc.nat(99), fc.boolean()), { minLength: 5, maxLength: 60 }),
});

/** The cancel comes while the door that has recorded the answer is about to release the run. */
const answeredAndCancelled: { readonly seed: number; readonly course: readonly Action[] } = {
  seed: 1191743984,
  course: [
    ["start", 0, false],
    ["queue", 0, false],
    ["queue", 6, false],
    ["answer", 0, true],
    ["cancel", 15, false],
    ["queue", 0, false],
  ],
};

test(
  "whatever falls into whatever, each stretch of a run is driven by one worker, no effect is doubled, and every run comes to its end",
  async () => {
    const clock = createFakeClock({ intervals: true });
    await fc.assert(
      fc.asyncProperty(arbitraryCourse, async ({ seed, course }) => {
        const fleet = new SimulatedFleet(seed, clock);
        try {
          await follow(fleet, course);
          await comeToEnd(fleet);
          await checkRuns(fleet);
          await checkSlots(fleet);
        } finally {
          await fleet.close();
        }
      }),
      {
        examples: [[answeredAndCancelled]],
        seed: scaled({ slice: 21, long: Date.now() % 2 ** 31 }),
        numRuns: scaled({ slice: 40, long: 5_000 }),
      },
    );
  },
  longTimeout,
);

async function follow(fleet: SimulatedFleet, course: readonly Action[]): Promise<void> {
  for (const [name, at, isAtOnce] of course) {
    if (name === "queue") fleet.queue(kinds[at % kinds.length] ?? "chain");
    else if (name === "start") fleet.living.length < 3 && fleet.startWorker();
    else if (name === "kill") fleet.kill(at);
    else if (name === "drain") fleet.drain(at);
    else if (name === "release") fleet.release(at);
    else if (name === "answer") await fleet.answer(at);
    else if (name === "cancel") fleet.cancel(at);
    else if (name === "repeat") fleet.repeat(at);
    else if (name === "away") fleet.setAway(at, true);
    else if (name === "back") fleet.setAway(at, false);
    else fleet.advance(times[at % times.length] ?? 0);
    if (!isAtOnce) await fleet.settle();
    checkOwners(fleet);
  }
}

/** Of a run, one worker at a time does something; and of a workflow, no more runs go on than may. */
function checkOwners({ living }: SimulatedFleet): void {
  const running = living.flatMap(({ steps }) => steps.running);
  expect(running.length).toBe(new Set(running).size);
  expect(running.filter((path) => path.startsWith("l")).length).toBeLessThanOrEqual(1);
  for (const { steps } of living) expect(steps.running.length).toBeLessThanOrEqual(slots);
}

/** From now on nothing goes wrong any more, and all that is asked is answered. */
async function comeToEnd(fleet: SimulatedFleet): Promise<void> {
  for (let at = 0; at <= fleet.workers.length; at++) fleet.setAway(at, false);
  fleet.startWorker();
  let left: string[] = [];
  // Files are made and removed at the speed of the disk: on a loaded machine rounds may pass in which nothing could happen.
  for (let round = 0, deadline = performance.now() + 20_000; round < 150 || performance.now() < deadline; round++) {
    await fleet.settle();
    for (const { steps } of fleet.living) for (const path of steps.running) steps.succeed(path);
    await fleet.answer(round);
    await fleet.settle();
    checkOwners(fleet);
    fleet.advance(3_000);
    const all = await fleet.journal.list({ limit: 1_000 });
    left = all.filter(({ finishedAt }) => finishedAt === null).map(({ runId, status }) => `${runId} ${status}`);
    const isDraining = fleet.workers.some(({ state }) => state === "draining");
    if (left.length === 0 && !isDraining && round > 25) break;
  }
  expect(left, await describeLeft(fleet)).toEqual([]);
  expect(fleet.workers.filter(({ state }) => state === "draining")).toEqual([]);
  expect(fleet.failures).toEqual([]);
  await fleet.until(() => fleet.queues.open().length === 0);
  expect(fleet.queues.open()).toEqual([]);
}

/** What a run that did not end has come to, and who has what of it. */
async function describeLeft(fleet: SimulatedFleet): Promise<string> {
  const lines: string[] = [];
  for (const { runId, status, finishedAt, sequence, fence, lease } of await fleet.journal.list({ limit: 1_000 })) {
    if (finishedAt !== null) continue;
    const events = (await fleet.journal.read(runId)).slice(-12);
    lines.push(`${runId} ${status} ${sequence}/${fence} held by ${JSON.stringify(lease?.owner)}`);
    lines.push(...events.map((event) => `  ${event.type} ${"path" in event ? event.path : ""}`));
  }
  lines.push(`open: ${JSON.stringify(fleet.queues.open())}`);
  for (const [index, { state, steps }] of fleet.workers.entries()) {
    lines.push(`worker ${index} ${state}, runs ${JSON.stringify(steps.running)}`);
  }
  return lines.join("\n");
}

async function checkRuns(fleet: SimulatedFleet): Promise<void> {
  const begun = fleet.workers.flatMap(({ steps }) => steps.begun);
  for (const { runId, kind, number } of fleet.runs) {
    const events = await fleet.journal.read(runId);
    const count = (type: string, path: string): number =>
      events.filter((event) => event.type === type && "path" in event && event.path === path).length;
    expect(events.filter(({ type }) => type === "run-finished")).toHaveLength(1);
    const isCancelled = events.some(({ type }) => type === "run-cancelling");
    const steps = kind === "chain" ? ["a", "b"] : kind === "limited" ? ["l"] : ["a"];
    for (const path of steps.map((name) => `${name}${number}`)) {
      const times = begun.filter((one) => one === path).length;
      expect(times, `${path} began`).toBeLessThanOrEqual(1 + count("block-interrupted", path));
      expect(count("block-finished", path)).toBeLessThanOrEqual(1);
      if (!isCancelled) expect(count("block-finished", path), `${path} ended`).toBe(1);
    }
    // Who cancels a second time ends that, too.
    const isForced = events.some((event) => event.type === "run-cancelling" && event.forced === true);
    if (kind === "cleans-up" && !isForced) {
      expect(begun.filter((path) => path === `f${number}`).length).toBeGreaterThan(0);
    }
  }
}

/** Nothing that is over holds a slot. */
async function checkSlots(fleet: SimulatedFleet): Promise<void> {
  const count = fleet.living.length * slots;
  for (let index = 0; index < count; index++) fleet.queue("chain");
  await fleet.settle();
  const running = (): readonly string[] => fleet.living.flatMap(({ steps }) => steps.running);
  await fleet.until(() => running().length === count);
  expect(running()).toHaveLength(count);
}
