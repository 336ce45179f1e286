import { setTimeout as delay } from "node:timers/promises";

const pauseMs = 10;

/** Asks again and again until the answer is yes, for what another process does in its own time, on however busy a machine. */
export async function waitFor(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  deadlineMs = 60_000,
): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`waited ${deadlineMs} ms in vain: ${what}`);
    await delay(pauseMs);
  }
}
