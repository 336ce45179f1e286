import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunEvent, RunStarted } from "../../../src/engine/events.ts";
import { createState, type PlanSource } from "../../../src/engine/state.ts";
import { applyChange } from "../../../src/ui/run/apply-change.ts";
import { findPlace } from "../../../src/views/page/find-place.ts";
import { describeLevel } from "../../../src/views/page/level.ts";
import { LevelChanges } from "../../../src/views/page/level-changes.ts";
import type { Level } from "../../../src/views/page/page-records.ts";
import { RunPicture } from "../../../src/views/page/run-picture.ts";
import { createRandom } from "../../engine/fates.ts";
import { type Course, followCourse } from "../../engine/random-course.ts";
import { type RandomWorkflow, randomWorkflow } from "../../engine/random-workflow.ts";
import { createFakeClock } from "../../rig/fake-clock.ts";
import { longTimeout, scaled } from "../../rig/scale.ts";

const numRuns = scaled({ slice: 4, long: 300 });
const seed = 20_261_116;

interface Story {
  readonly events: readonly RunEvent[];
  readonly plans: PlanSource;
}

/** The run as it was after so many events. */
function pictureOf({ events, plans }: Story, count: number, isInterrupted: boolean): RunPicture {
  const picture = new RunPicture(createState(events[0] as RunStarted, plans));
  for (const event of events.slice(1, count)) picture.apply(event);
  picture.surround({ isInterrupted, undoneBy: undefined, label: undefined });
  return picture;
}

function look(picture: RunPicture, address: string): Level | undefined {
  const place = findPlace(picture.state, address);
  return place.ok ? (JSON.parse(JSON.stringify(describeLevel(picture, place.value, address))) as Level) : undefined;
}

/** Everything that can be looked at, at any time. */
function addressesOf(story: Story): string[] {
  const picture = pictureOf(story, 1, false);
  const known = new Set<string>(["", "nothing-here"]);
  for (const event of story.events.slice(1)) {
    picture.apply(event);
    for (const path of picture.state.nodes.keys()) known.add(path);
  }
  return [...known];
}

/** Somebody looks at a level from its beginning, and comes back now and then after the connection was lost. */
function follow(story: Story, address: string, next: (below: number) => number): number {
  const picture = pictureOf(story, 1, false);
  let changes = new LevelChanges();
  let held: Level | undefined;
  let [seen, sent] = [0, 0];
  for (let count = 1; ; count = Math.min(story.events.length, count + 1 + next(6))) {
    for (const event of story.events.slice(picture.state.sequence, count)) picture.apply(event);
    const isInterrupted = next(8) === 0;
    picture.surround({ isInterrupted, undoneBy: undefined, label: undefined });
    const place = findPlace(picture.state, address);
    if (place.ok) {
      const level = describeLevel(picture, place.value, address);
      const isLoop = level.holds === "loop";
      const comesBack = next(5) === 0;
      if (held === undefined || (comesBack && isLoop)) {
        changes = new LevelChanges();
        changes.remember(level);
        held = level;
      } else if (comesBack) {
        changes = new LevelChanges();
        // The server may be another one by now.
        const server = next(2) === 0 ? picture : pictureOf(story, count, isInterrupted);
        held = applyChange(held, changes.tellSince(level, server, seen));
      } else {
        const change = changes.tell(level);
        const isOther = change?.order !== undefined && !isLoop;
        if (change !== undefined) held = isOther ? level : applyChange(held, change);
        sent += change === undefined ? 0 : 1;
      }
      seen = count;
      const shown = JSON.parse(JSON.stringify({ ...held, head: { ...held.head, sequence: count } })) as Level;
      expect(shown, `${address} after ${count} events`).toEqual(look(pictureOf(story, count, isInterrupted), address));
    }
    if (count >= story.events.length) return sent;
  }
}

async function check(workflow: RandomWorkflow, course: Course): Promise<void> {
  const story = await followCourse(workflow, course, createFakeClock({ intervals: true }));
  const next = createRandom(course.order);
  const addresses = addressesOf(story);
  let sent = 0;
  for (let index = 0; index < 8; index++) {
    sent += follow(story, index === 0 ? "" : (addresses[next(addresses.length)] as string), next);
  }
  expect(sent).toBeGreaterThan(0);
}

test("Changes applied to a level always give the level asked for afresh, at any depth, also after the connection was lost", {
  timeout: longTimeout,
}, async () => {
  await fc.assert(
    fc.asyncProperty(randomWorkflow("10h"), fc.nat(), fc.nat(), (workflow, fate, order) =>
      check(workflow, { fate, order }),
    ),
    { numRuns, seed },
  );
});

test("The same where runs are cancelled and their processes die", { timeout: longTimeout }, async () => {
  await fc.assert(
    fc.asyncProperty(randomWorkflow("1s"), fc.nat(), fc.nat(), (workflow, fate, order) =>
      check(workflow, { fate, order, cancels: true, deaths: true, time: true } as Course),
    ),
    { numRuns, seed },
  );
});
