import { Queue } from "./queue.ts";

/**
 * Shares the one event loop of the process among long computations. Work that may take long asks now and then whether its slice
 * is over, and then waits for its next one. However many compute at the same time, between two looks at the outside one of them
 * gets a slice: a message or a signal waits for one slice, not for all of them.
 */
const sliceMs = 10;

/** When the loop was first asked about since it last looked at the outside. */
let beganAt: number | undefined;
const waiting = new Queue<() => void>();
let waitingCount = 0;

/** Whether the event loop has been held for so long that others should have it. */
export function isSliceOver(): boolean {
  return performance.now() - begin() >= sliceMs;
}

/** Resolves when those who came first have had their slices, and the outside has been looked at. */
export function nextSlice(): Promise<void> {
  begin();
  waitingCount++;
  return new Promise((resolve) => waiting.push(resolve));
}

/** Whether there is work that goes on by itself. */
export function isAnyoneWaiting(): boolean {
  return waitingCount > 0;
}

/** Performs work that says, by yielding, where it can be interrupted. */
export async function inSlices<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    // Before the first step too: many who come at once would all begin at once.
    if (isSliceOver()) await nextSlice();
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** The same without interruption. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

function begin(): number {
  if (beganAt === undefined) {
    beganAt = performance.now();
    setImmediate(endSlice);
  }
  return beganAt;
}

/** The loop has looked at the outside: the next slice begins with whoever waits for it. */
function endSlice(): void {
  beganAt = undefined;
  const resume = waiting.shift();
  if (resume === undefined) return;
  waitingCount--;
  begin();
  resume();
}
