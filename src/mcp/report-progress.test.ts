import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { RunEvent } from "../engine/events.ts";
import type { RunState } from "../engine/state.ts";
import { Audience, type HostedRun } from "../runs/run-host.ts";
import { reportProgress } from "./report-progress.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Told {
  readonly at: number;
  readonly done: number;
  readonly total: number;
  readonly message: string;
}

interface Followed {
  readonly told: Told[];
  begin(path: string): void;
  stop(): void;
}

/** A run of so many blocks, the first of which stand as they are said to, and what a client that asked for progress is told of it. */
async function follow(blocks: number, ...stages: readonly string[]): Promise<Followed> {
  const nodes = new Map<string, object>([["", {}]]);
  for (let index = 0; index < blocks; index += 1) {
    const path = `b${index}`;
    nodes.set(path, { path, parent: {}, ended: false, stage: { kind: stages[index] ?? "waiting" } });
  }
  const audience = new Audience();
  const inspect = async (look: (state: RunState) => unknown): Promise<unknown> =>
    look({ nodes } as unknown as RunState);
  const hosted = { run: { inspect }, audience } as unknown as HostedRun;
  const told: Told[] = [];
  const stop = await reportProgress(hosted, {
    signal: new AbortController().signal,
    elicits: false,
    progress: (done, total, message) => told.push({ at: performance.now(), done, total, message }),
  });
  const begin = (path: string): void => audience.onEvents([{ type: "block-started", path } as RunEvent]);
  return { told, begin, stop };
}

test("however much happens, a client is told four times a second at most, and always of the latest", async () => {
  const { told, begin, stop } = await follow(100);
  for (let index = 0; index < 100; index += 1) {
    begin(`b${index}`);
    await vi.advanceTimersByTimeAsync(20);
  }
  await vi.advanceTimersByTimeAsync(250);
  const pauses = told.slice(1).map(({ at }, index) => at - (told[index]?.at ?? 0));
  expect(told.length).toBeGreaterThan(4);
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(250);
  expect(told.at(-1)?.message).toBe("b99 started");
  stop();
});

test.each([
  ["waiting", "waiting", "started"],
  ["asking", "waiting", "b0 asks"],
  ["running", "asking", "b0 started"],
  ["running", "running", "b1 started"],
])("whoever begins to wait while blocks are %s and %s hears first: %s", async (one, other, message) => {
  const { told, stop } = await follow(3, one, other);
  await vi.advanceTimersByTimeAsync(250);
  expect(told).toMatchObject([{ message }]);
  stop();
});

test("when nothing happens for long, a client is told all the same, with a number that grows and never passes the total", async () => {
  const { told, begin, stop } = await follow(2);
  begin("b0");
  await vi.advanceTimersByTimeAsync(45_000);
  expect(told.length).toBeGreaterThanOrEqual(5);
  const numbers = told.map(({ done }) => done);
  expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  expect(told.every(({ done, total }) => done <= total && total === 2)).toBe(true);
  stop();
  const before = told.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toHaveLength(before);
});
