import { onTestFinished, vi } from "vitest";
import type { Clock } from "../../src/block/ports.ts";

export interface FakeClock extends Clock {
  /** Everything that is due by then happens. */
  advance(ms: number): void;
  /** How many things are still to happen. */
  readonly timers: number;
  /** What was still to happen never does: whoever set it is gone. */
  forget(): void;
}

const timers = ["setTimeout", "clearTimeout"] as const;
const intervals = ["setInterval", "clearInterval"] as const;

/**
 * A clock that stands still until the test moves it, and the timers with it, until the end of the test. `intervals` is for what an
 * engine does every so often, such as looking for requests; nobody wants to see that happen in all the hours of a long wait.
 */
export function createFakeClock(options: { readonly intervals?: true } = {}): FakeClock {
  vi.useFakeTimers({ toFake: options.intervals ? [...timers, ...intervals] : [...timers] });
  onTestFinished(() => void vi.useRealTimers());
  let steady = 0;
  return {
    now: () => new Date(1_900_000_000_000 + steady),
    monotonic: () => steady,
    advance(ms) {
      steady += ms;
      vi.advanceTimersByTime(ms);
    },
    get timers() {
      return vi.getTimerCount();
    },
    forget: () => void vi.clearAllTimers(),
  };
}
