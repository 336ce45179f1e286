import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { settledWithin, waitWithin } from "./wait-within.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A wait of a second, and what became of it. */
function begin(signal?: AbortSignal): { readonly seen: string[]; end(): void } {
  const seen: string[] = [];
  let end = (): void => {};
  const listen = (done: () => void): (() => void) => {
    end = done;
    return () => seen.push("stopped listening");
  };
  void waitWithin(1000, listen, signal).then(() => seen.push("over"));
  return { seen, end: () => end() };
}

test("a wait is over when what is waited for comes, and leaves no timer behind", async () => {
  const { seen, end } = begin();
  end();
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(["stopped listening", "over"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a wait is over when its time is", async () => {
  const { seen } = begin();
  await vi.advanceTimersByTimeAsync(999);
  expect(seen).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toEqual(["stopped listening", "over"]);
});

test.each([["before"], ["after"]])("a wait is over when the signal comes %s it begins", async (when) => {
  const stopped = new AbortController();
  if (when === "before") stopped.abort();
  const { seen } = begin(stopped.signal);
  stopped.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(seen).toEqual(["stopped listening", "over"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("what comes at once is not waited for, and no longer listened to", async () => {
  const seen: string[] = [];
  await waitWithin(1000, (done) => {
    done();
    return () => void seen.push("stopped listening");
  });
  await settledWithin(Promise.resolve(), 1000);
  expect(seen).toEqual(["stopped listening"]);
  expect(vi.getTimerCount()).toBe(0);
});
