import { expect, test } from "vitest";
import { createFakeClock } from "../../../test/rig/fake-clock.ts";
import { createStepEngine, step } from "../../../test/rig/step-engine.ts";
import type { RunEvent } from "../../engine/events.ts";
import { ShownRun } from "../../views/shown-run.ts";
import { RunningTimes } from "./running-times.ts";

/** How long blocks took, by the ends that are told. */
function told(events: readonly RunEvent[]): Record<string, number> {
  const times = new RunningTimes();
  const ended = events.map((event) => times.take(event));
  return Object.fromEntries(
    ended.flatMap((event) => (event.type === "block-finished" ? [[event.path, event.durationMs]] : [])),
  );
}

test("what a block ran before it waited is part of its time, and so is the time it was made to wait for, as in the tree", async () => {
  const clock = createFakeClock();
  const { engine, steps } = createStepEngine({ clock });
  const run = await engine.start({
    blocks: [
      step("asking"),
      { id: "nap", type: "Wait", inputs: { duration: "30s" } },
      step("flaky", { retry: { attempts: 2, delay: "30s" } }),
    ],
  });
  await run.idle();
  clock.advance(3_000);
  steps.pause("asking");
  steps.fail("flaky");
  await run.idle();
  clock.advance(30_000);
  await run.idle();
  await run.answer("asking", "yes");
  await run.idle();
  clock.advance(1_000);
  steps.succeed("asking");
  steps.succeed("flaky");
  await run.idle();
  expect(told(run.events)).toEqual({ asking: 4_000, nap: 33_000, flaky: 1_000 });
  const { rows } = new ShownRun(run.state).tree(9);
  expect(Object.fromEntries(rows.slice(1).map(({ name, duration_ms }) => [name, duration_ms]))).toEqual(
    told(run.events),
  );
});
