import { expect, test } from "vitest";
import type { RunEvent } from "../../src/engine/events.ts";
import { createFakeClock } from "../rig/fake-clock.ts";
import { createStepEngine, step } from "../rig/step-engine.ts";
import { followCourse } from "./course.ts";

/** A loop that stops while its first element waits for another attempt. */
async function stopBetweenAttempts(): Promise<readonly RunEvent[]> {
  const { engine, steps } = createStepEngine({ clock: createFakeClock() });
  const retry = { attempts: 2, delay: "10s", on: ["for now"] };
  const run = await engine.start({ blocks: [step("each", { for_each: ["a", "b"], on_error: "stop", retry })] });
  await run.idle();
  steps.fail("each/0", "for now");
  await run.idle();
  steps.fail("each/1", "for ever");
  return (await run.settled).events;
}

test("an element that was to be tried again when its loop stopped may end as it did before", async () => {
  expect(followCourse(await stopBetweenAttempts()).faults).toEqual([]);
});

test("one that was to be tried again may end in no other way", async () => {
  const events = await stopBetweenAttempts();
  const endedAs = (message: string): readonly RunEvent[] =>
    events.map((event) =>
      event.type === "block-finished" && event.path === "each/0" && event.outcome === "failure"
        ? { ...event, message }
        : event,
    );
  for (const message of ["it has ended", "for now"]) {
    expect(followCourse(endedAs(message)).faults).toEqual([
      expect.stringContaining("each/0 is completed although it is between attempts"),
    ]);
  }
});
