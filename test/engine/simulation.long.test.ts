import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunEvent } from "../../src/engine/events.ts";
import { createFakeClock } from "../rig/fake-clock.ts";
import { longTimeout, scaled } from "../rig/scale.ts";
import { followCourse } from "./random-course.ts";
import { randomWorkflow } from "./random-workflow.ts";
import { timeless } from "./snapshot.ts";

const runs = scaled({ slice: 4, long: 1000 });
const seed = 20_240_607;
/** Limits that nothing comes near to. */
const unlimited = "10h";

test("any run ends, keeps its limits, and is what its events say, in whatever order its blocks end", {
  timeout: longTimeout,
}, async () => {
  const clock = createFakeClock({ intervals: true });
  await fc.assert(
    fc.asyncProperty(randomWorkflow(unlimited), fc.nat(), fc.nat(), fc.nat(), async (workflow, fate, one, other) => {
      const first = await followCourse(workflow, { fate, order: one }, clock);
      const second = await followCourse(workflow, { fate, order: other }, clock);
      if (workflow.dependsOnOrder) return;
      expect(timeless(second.state.root.record)).toEqual(timeless(first.state.root.record));
      expect(second.state.finished?.remarks).toEqual(first.state.finished?.remarks);
    }),
    { numRuns: runs, seed },
  );
});

function isRootFinally(event: RunEvent): boolean {
  return event.type === "finally-started" && event.path === "";
}

test("a run that is cancelled at any moment ends as cancelled, with every block ended once", {
  timeout: longTimeout,
}, async () => {
  const clock = createFakeClock({ intervals: true });
  await fc.assert(
    fc.asyncProperty(randomWorkflow(unlimited), fc.nat(), fc.nat(), async (workflow, fate, order) => {
      const { state, events } = await followCourse(workflow, { fate, order, cancels: true }, clock);
      // While only `finally` is left there is nothing to cancel: the result is known by then.
      const [first] = events.filter((event) => event.type === "run-cancelling" || isRootFinally(event));
      if (first?.type !== "run-cancelling") return;
      expect(state.finished).toMatchObject({ status: "failed", outcome: "n/a", message: "cancelled" });
    }),
    { numRuns: runs, seed },
  );
});

test("a run whose limits of time are exceeded anywhere ends, with every block ended once", {
  timeout: longTimeout,
}, async () => {
  const clock = createFakeClock({ intervals: true });
  await fc.assert(
    fc.asyncProperty(randomWorkflow("1s"), fc.nat(), fc.nat(), async (workflow, fate, order) => {
      await followCourse(workflow, { fate, order, time: true }, clock);
    }),
    { numRuns: runs, seed },
  );
});

test("however often the process that drives a run dies, and whoever answers, it ends as if nothing had happened", {
  timeout: longTimeout,
}, async () => {
  const clock = createFakeClock({ intervals: true });
  await fc.assert(
    fc.asyncProperty(randomWorkflow(unlimited), fc.nat(), fc.nat(), async (workflow, fate, order) => {
      const disturbed = await followCourse(workflow, { fate, order, deaths: true, zombies: true }, clock);
      const undisturbed = await followCourse(workflow, { fate, order: order + 1 }, clock);
      if (workflow.dependsOnOrder) return;
      expect(timeless(disturbed.state.root.record)).toEqual(timeless(undisturbed.state.root.record));
      expect(disturbed.state.finished?.remarks).toEqual(undisturbed.state.finished?.remarks);
    }),
    { numRuns: runs, seed },
  );
});

test("deaths, decisions, cancellations and limits of time together: the run ends, with every block ended once", {
  timeout: longTimeout,
}, async () => {
  const clock = createFakeClock({ intervals: true });
  await fc.assert(
    fc.asyncProperty(randomWorkflow("1s"), fc.nat(), fc.nat(), async (workflow, fate, order) => {
      const course = { fate, order, deaths: true, decides: true, cancels: true, time: true } as const;
      await followCourse(workflow, course, clock);
    }),
    { numRuns: runs, seed },
  );
});

test("random workflows have finally at every depth, with everything in it that may be there", () => {
  const found = new Set<string>();
  const look = (blocks: readonly Seen[], where: string): void => {
    for (const block of blocks) {
      for (const key of keysOfFinally) if (key in block) found.add(key);
      if (JSON.stringify(block.inputs ?? "").includes("run.status")) found.add("reads run");
      if (String(block.condition).includes("blocks.b")) found.add("reads others");
      if (block.type === "ExecuteWorkflow") found.add("calls");
      found.add(where);
      look(block.blocks ?? [], "in a group");
    }
  };
  for (const { root, library } of fc.sample(randomWorkflow("1s"), { numRuns: 300, seed })) {
    look((root as Seen).finally ?? [], "of the run");
    for (const child of Object.values(library)) look((child as Seen).finally ?? [], "of a called workflow");
  }
  const places = ["of the run", "of a called workflow", "in a group", "calls", "reads run", "reads others"];
  expect([...found].sort()).toEqual([...keysOfFinally, ...places].sort());
});

interface Seen {
  readonly blocks?: readonly Seen[];
  readonly finally?: readonly Seen[];
  readonly [key: string]: unknown;
}

const keysOfFinally = ["for_each", "repeat", "retry", "timeout", "condition", "depends_on", "allow_failure"];
