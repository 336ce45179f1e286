import { expect, onTestFinished, test } from "vitest";
import { createFakeClock } from "../rig/fake-clock.ts";
import { SimulatedFleet } from "./simulated-fleet.ts";

test("a run that waits for a machine without a worker keeps no other of its workflow from its turn; one that is driven does", async () => {
  const fleet = new SimulatedFleet(1, createFakeClock({ intervals: true }));
  onTestFinished(() => fleet.close());
  fleet.queue("limited", "gone");
  await fleet.settle();
  fleet.queue("limited");
  fleet.queue("limited");
  fleet.startWorker();
  fleet.startWorker();
  const running = (): string[] => fleet.living.flatMap(({ steps }) => steps.running);
  const order: string[] = [];
  for (const _ of [1, 2]) {
    await fleet.until(() => running().length === 1);
    fleet.advance(3_000);
    await fleet.settle();
    expect(running()).toHaveLength(1);
    order.push(...running());
    fleet.release(0);
    await fleet.until(() => running().length === 0 || running()[0] !== order[0]);
  }
  expect(order.sort()).toEqual(["l1", "l2"]);
  const waiting = fleet.queues.open().map(({ queue, status }) => `${queue} ${status}`);
  expect(waiting).toContain("any@gone waiting");
  fleet.cancel(0);
  await fleet.until(() => fleet.queues.open().length === 0);
  expect(fleet.queues.open()).toEqual([]);
});
