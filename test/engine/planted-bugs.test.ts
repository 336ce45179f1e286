import { afterEach, expect, test, vi } from "vitest";
import { ConcurrencyLimits } from "../../src/engine/concurrency-limits.ts";
import { EventRecorder } from "../../src/engine/event-recorder.ts";
import { stopped, succeeded } from "../../src/engine/execution.ts";
import type { RunNode } from "../../src/engine/run-node.ts";
import { Sleepers } from "../../src/engine/sleepers.ts";
import { Turns } from "../../src/engine/turns.ts";
import { createFakeClock } from "../rig/fake-clock.ts";
import { step } from "../rig/step-engine.ts";
import { type Course, followCourse } from "./random-course.ts";
import type { RandomWorkflow } from "./random-workflow.ts";

/** Small, with everything in it that is tried again or sleeps, and more than there are slots for. */
const workflow: RandomWorkflow = {
  root: {
    max_parallel: 1,
    blocks: [
      step("again", { retry: { attempts: 3, delay: "2s" } }),
      step("poll", { repeat: { max: 2, delay: "2s" } }),
      { id: "wait", type: "Wait", inputs: { duration: "2s" } },
      { id: "nested", type: "ExecuteWorkflow", inputs: { workflow: "child" }, retry: { attempts: 2, delay: "2s" } },
    ],
  },
  library: { child: { blocks: [step("inner", { retry: { attempts: 2, delay: "2s" } }), step("other")] } },
  dependsOnOrder: false,
};

interface Bug {
  /** What the simulation says of it. */
  readonly breaks: RegExp;
  plant(): void;
}

const { record } = Turns.prototype;
const { start, sleep } = EventRecorder.prototype;
const { release } = ConcurrencyLimits.prototype;

/** Mistakes that the engine could make, so that it can be seen that the simulation finds them. */
const bugs: Readonly<Record<string, Bug>> = {
  "an attempt that is not recorded": {
    breaks: /the state is what the durable events say/,
    plant() {
      vi.spyOn(Turns.prototype, "record").mockImplementation(function (this: Turns, event) {
        if (event.type !== "attempt-ended") record.call(this, event);
      });
    },
  },
  "a sleeper that is woken twice": {
    breaks: /is woken before its time|does not sleep/,
    plant() {
      vi.spyOn(Turns.prototype, "record").mockImplementation(function (this: Turns, event) {
        record.call(this, event);
        if (event.type === "block-woken") record.call(this, event);
      });
    },
  },
  "a count of attempts that begins anew": {
    breaks: /attempt 1 at .* after attempt 1/,
    plant() {
      const reset = new Set<RunNode>();
      vi.spyOn(EventRecorder.prototype, "start").mockImplementation(function (this: EventRecorder, node, ...more) {
        // Once for each, and of those that hold nothing: the run is to end, though wrongly.
        if (node.inside.kind === "leaf" && node.record.metadata.attempts > 0 && !reset.has(node)) {
          reset.add(node);
          node.record.metadata.attempts = 0;
        }
        start.call(this, node, ...more);
      });
    },
  },
  "a sleeper that is woken before its time": {
    breaks: /is woken before its time/,
    plant() {
      const asleep = new Set<RunNode>();
      vi.spyOn(EventRecorder.prototype, "sleep").mockImplementation(function (this: EventRecorder, node, ...more) {
        sleep.call(this, node, ...more);
        asleep.add(node);
      });
      vi.spyOn(Sleepers.prototype, "due").mockImplementation(() =>
        [...asleep].filter(({ stage }) => stage.kind === "sleeping"),
      );
    },
  },
  "a slot that is kept by a sleeper": {
    breaks: /waits although there is room|nothing runs, but|not paused, and nothing can happen/,
    plant() {
      vi.spyOn(ConcurrencyLimits.prototype, "release").mockImplementation(function (this: ConcurrencyLimits, node) {
        if (node.stage.kind !== "sleeping") release.call(this, node);
      });
    },
  },
};

afterEach(() => void vi.restoreAllMocks());

const mostCourses = 30;

async function hunt(hunted: RandomWorkflow = workflow, more: Partial<Course> = {}): Promise<string> {
  const clock = createFakeClock({ intervals: true });
  for (let fate = 0; fate < mostCourses; fate++) {
    try {
      await followCourse(hunted, { fate, order: fate, ...more }, clock);
    } catch (error) {
      return String(error);
    }
  }
  return "nothing is found";
}

test("nothing is found where there is no bug", async () => {
  expect(await hunt()).toBe("nothing is found");
});

test.for(Object.keys(bugs))("%s is found", async (name) => {
  const { breaks, plant } = bugs[name] as Bug;
  plant();
  expect(await hunt()).toMatch(breaks);
});

/** With `finally` in which blocks fail, in the run and in what it calls. */
const closing: RandomWorkflow = {
  root: {
    blocks: [step("one"), { id: "nested", type: "ExecuteWorkflow", inputs: { workflow: "child" } }],
    outputs: { went: "${blocks.one.status}" },
    finally: [step("tell"), step("clean", { retry: { attempts: 2, delay: "2s" } })],
  },
  library: { child: { blocks: [step("inner"), step("other")], finally: [step("tidy")] } },
  dependsOnOrder: false,
};

const { finish, finishRun, beginFinally } = EventRecorder.prototype;
const nothing = { handledFailures: [], outputErrors: {} };

/** The same for `finally`, while the run is cancelled on the way. */
const bugsOfFinally: Readonly<Record<string, Bug>> = {
  "finally that begins before everything else has ended": {
    breaks: /has not ended, and `finally` has begun/,
    plant() {
      vi.spyOn(EventRecorder.prototype, "finish").mockImplementation(function (this: EventRecorder, node, ...more) {
        finish.call(this, node, ...more);
        const { parent } = node;
        if (parent?.inside.kind !== "workflow" || parent.inside.closing !== undefined) return;
        if (parent.inside.open > 0) beginFinally.call(this, parent, succeeded);
      });
    },
  },
  "finally that is left out after cancelling": {
    breaks: /ends without its `finally`/,
    plant() {
      vi.spyOn(EventRecorder.prototype, "beginFinally").mockImplementation(function (
        this: EventRecorder,
        node,
        ending,
      ) {
        if (ending.outcome === "success") return beginFinally.call(this, node, ending);
        if (node.parent === undefined) finishRun.call(this, ending, {}, nothing);
        else finish.call(this, node, ending, {});
      });
    },
  },
  "a result that cancelling changes while finally runs": {
    breaks: /says: cancelled|fails although nothing in it has|changes by `finally`/,
    plant() {
      vi.spyOn(EventRecorder.prototype, "finishRun").mockImplementation(function (
        this: EventRecorder,
        ending,
        ...more
      ) {
        const cancelled = stopped({ cause: "cancelled", message: "cancelled" });
        finishRun.call(this, this.state.cancelRequested ? cancelled : ending, ...more);
      });
    },
  },
  "a failure of finally that is forgotten": {
    breaks: /succeeds although '.*' has not/,
    plant() {
      vi.spyOn(EventRecorder.prototype, "finishRun").mockImplementation(function (
        this: EventRecorder,
        ending,
        ...more
      ) {
        const { inside } = this.state.root;
        const before = inside.kind === "workflow" ? inside.closing?.ending : undefined;
        finishRun.call(this, before ?? ending, ...more);
      });
    },
  },
  "outputs that finally changes": {
    breaks: /the outputs of '' change by `finally`/,
    plant() {
      vi.spyOn(EventRecorder.prototype, "finishRun").mockImplementation(function (
        this: EventRecorder,
        ending,
        _,
        more,
      ) {
        finishRun.call(this, ending, { went: "elsewhere" }, more);
      });
    },
  },
};

test("nothing is found in runs with finally where there is no bug", async () => {
  expect(await hunt(closing, { cancels: true })).toBe("nothing is found");
});

test.for(Object.keys(bugsOfFinally))("%s is found", async (name) => {
  const { breaks, plant } = bugsOfFinally[name] as Bug;
  plant();
  expect(await hunt(closing, { cancels: true })).toMatch(breaks);
});
