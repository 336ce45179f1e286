import fc from "fast-check";
import { expect, test } from "vitest";
import { timeless } from "./invariants.ts";
import { followCourse } from "./random-course.ts";
import { randomWorkflow } from "./random-workflow.ts";

const runs = Number(process.env.FROND_SIMULATIONS ?? 200);
const seed = 20_240_607;
/** Much more than it takes: the machine may be busy. */
const patienceMs = 120_000;

test("any run ends, keeps its limits, and is what its events say, in whatever order its blocks end", {
  timeout: patienceMs,
}, async () => {
  await fc.assert(
    fc.asyncProperty(randomWorkflow, fc.nat(), fc.nat(), fc.nat(), async (workflow, fate, one, other) => {
      const first = await followCourse(workflow, { fate, order: one, cancels: false });
      const second = await followCourse(workflow, { fate, order: other, cancels: false });
      if (workflow.dependsOnOrder) return;
      expect(timeless(second.state.root.record)).toEqual(timeless(first.state.root.record));
      expect(second.response.handled_failures).toEqual(first.response.handled_failures);
    }),
    { numRuns: runs, seed },
  );
});

test("a run that is cancelled at any moment ends as cancelled, with every block ended once", {
  timeout: patienceMs,
}, async () => {
  await fc.assert(
    fc.asyncProperty(randomWorkflow, fc.nat(), fc.nat(), async (workflow, fate, order) => {
      const { state, response } = await followCourse(workflow, { fate, order, cancels: true });
      if (!state.cancelRequested) return;
      expect(response).toMatchObject({ status: "failure", error: "cancelled", cancelled: true });
    }),
    { numRuns: runs, seed },
  );
});
