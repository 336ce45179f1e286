import { parseAddress } from "./address.ts";
import type { RunEvent } from "./events.ts";

/** Whether an address says which attempt it means. */
export function namesAttempt(address: string): boolean {
  return parseAddress(address).some(({ attempt }) => attempt !== undefined);
}

/**
 * The events of a run up to the end of the attempt that an address names, as if it had been the last one: the state that follows
 * from them is the run as it was then. Nothing when there was no such attempt.
 */
export function eventsOfAttempt(events: readonly RunEvent[], address: string): RunEvent[] | undefined {
  let [from, to, path] = [0, events.length, ""];
  let last: RunEvent | undefined;
  for (const { key, attempt } of parseAddress(address)) {
    path = path === "" ? key : `${path}/${key}`;
    if (attempt === undefined) {
      // The latest is meant.
      const latest = events
        .slice(0, to)
        .findLastIndex((event) => event.type === "block-started" && event.path === path);
      from = Math.max(from, latest);
      continue;
    }
    from = findFrom(events, from, to, (event) => begins(event, path, attempt));
    if (from === -1) return undefined;
    const end = findFrom(events, from + 1, to, (event) => ends(event, path));
    if (end !== -1) to = end + 1;
    last = end === -1 ? undefined : events[end];
  }
  const upTo = events.slice(0, to);
  if (last?.type === "attempt-ended") upTo[to - 1] = { ...last, type: "block-finished" };
  return upTo;
}

function begins(event: RunEvent, path: string, attempt: number): boolean {
  const isBeginning = event.type === "block-started" || event.type === "block-resumed";
  return isBeginning && event.path === path && event.attempt === attempt;
}

function ends(event: RunEvent, path: string): boolean {
  switch (event.type) {
    case "attempt-ended":
    case "block-finished":
    case "block-skipped":
    case "block-interrupted":
      return event.path === path;
    default:
      return false;
  }
}

function findFrom(
  events: readonly RunEvent[],
  from: number,
  to: number,
  isWanted: (event: RunEvent) => boolean,
): number {
  for (let index = from; index < to; index++) if (isWanted(events[index] as RunEvent)) return index;
  return -1;
}
