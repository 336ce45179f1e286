import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { atOnce, inSlices, isAnyoneWaiting, isSliceOver, nextSlice } from "./time-slice.ts";

let now = 0;

// Of its own, so that no time passes but what is said to: on a busy machine a process may be kept waiting anywhere.
beforeEach(() => {
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
});

function hold(ms: number): void {
  now += ms;
}

function* workFor(slices: number, done: () => void = () => {}): Generator<void, number> {
  for (let slice = 0; slice < slices; slice++) {
    hold(11);
    done();
    yield;
  }
  return slices;
}

test("a slice is over when the event loop has been held for a while, and a new one begins when it is free", async () => {
  expect(isSliceOver()).toBe(false);
  hold(11);
  expect(isSliceOver()).toBe(true);
  await nextSlice();
  expect(isSliceOver()).toBe(false);
});

test("however many work at once, what comes from outside waits for one of them", async () => {
  let slices = 0;
  const waited: number[] = [];
  const works = Array.from({ length: 20 }, () => inSlices(workFor(3, () => slices++)));
  let isDone = false;
  const watch = (): void => {
    const before = slices;
    // Like a message: it is looked at whenever the loop looks at the outside.
    setImmediate(() => {
      waited.push(slices - before);
      if (!isDone) watch();
    });
  };
  watch();
  expect(await Promise.all(works)).toEqual(works.map(() => 3));
  isDone = true;
  expect(slices).toBe(60);
  // The first look comes after all of them have begun; none began a second slice before it.
  expect(Math.max(...waited.slice(1))).toBeLessThanOrEqual(2);
});

test("those who wait are served in the order in which they came", async () => {
  const order: string[] = [];
  await Promise.all(["a", "b", "c"].map((name) => nextSlice().then(() => order.push(name))));
  expect(order).toEqual(["a", "b", "c"]);
  expect(isAnyoneWaiting()).toBe(false);
});

test("work that may be interrupted gives the same without interruption", () => {
  expect(atOnce(workFor(2))).toBe(2);
});

test("what goes wrong in a slice is told to who waits for the work", async () => {
  function* fail(): Generator<void, never> {
    yield;
    throw new Error("no");
  }
  await expect(inSlices(fail())).rejects.toThrow("no");
});
