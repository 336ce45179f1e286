import { expect, test } from "vitest";
import { Semaphore } from "./semaphore.ts";

test("no more permits are given than there are", () => {
  const semaphore = new Semaphore(2);
  expect([semaphore.tryAcquire(), semaphore.tryAcquire(), semaphore.tryAcquire()]).toEqual([true, true, false]);
  semaphore.release();
  expect([semaphore.tryAcquire(), semaphore.tryAcquire()]).toEqual([true, false]);
});

test("those who wait are served in the order of asking, before any newcomer", async () => {
  const semaphore = new Semaphore(1);
  await semaphore.acquire();
  const served: string[] = [];
  const first = semaphore.acquire().then(() => served.push("first"));
  const second = semaphore.acquire().then(() => served.push("second"));

  semaphore.release();
  expect(semaphore.tryAcquire()).toBe(false);
  await first;
  expect(served).toEqual(["first"]);

  semaphore.release();
  await second;
  expect(served).toEqual(["first", "second"]);
  semaphore.release();
  expect(semaphore.tryAcquire()).toBe(true);
});
