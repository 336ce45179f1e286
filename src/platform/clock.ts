import type { Clock } from "../block/ports.ts";

export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
};
