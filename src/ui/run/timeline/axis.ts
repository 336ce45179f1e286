/** Stretches of time, in milliseconds since 1970. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Which part of a width stands for which time. Long stretches in which nothing ran are folded, or they would hide all the rest. */
export interface Axis {
  readonly start: number;
  readonly end: number;
  readonly folds: readonly Stretch[];
  /** From 0 to 1. */
  at(time: number): number;
}

const foldWidth = 0.04;
const leastShare = 1 / 3;
/** What is said of the last bars stands right of them. */
const noteRoom = 0.16;

/** Ends later than now, at a round time, while it is open: the axis must not move with every second. */
export function makeAxis(start: number, now: number, isOver: boolean, busy: readonly Stretch[]): Axis {
  const until = Math.max(now, start + 1);
  const folds = findIdle(start, until, busy);
  // Where all that ran took no time, everything is folded.
  const shown = Math.max(1, until - start - folds.reduce((sum, { from, to }) => sum + to - from, 0));
  const room = isOver ? shown * (1 + noteRoom) : roundUp(shown * (1 + noteRoom));
  const scale = (1 - folds.length * foldWidth) / room;
  return {
    start,
    end: until + room - shown,
    folds,
    at(time) {
      let place = 0;
      let from = start;
      for (const fold of folds) {
        if (time <= fold.from) break;
        place += (fold.from - from) * scale;
        place += foldWidth * Math.min(1, (time - fold.from) / (fold.to - fold.from));
        from = fold.to;
      }
      return Math.max(0, Math.min(1, place + Math.max(0, time - from) * scale));
    },
  };
}

/** Stretches of more than a third of the whole in which nothing ran. */
export function findIdle(start: number, end: number, busy: readonly Stretch[]): readonly Stretch[] {
  const idle: Stretch[] = [];
  let until = start;
  for (const { from, to } of [...busy].sort((one, other) => one.from - other.from)) {
    if (from > until) idle.push({ from: until, to: from });
    until = Math.max(until, to);
  }
  if (end > until) idle.push({ from: until, to: end });
  const most = (end - start) * leastShare;
  return busy.length === 0 ? [] : idle.filter(({ from, to }) => to - from > most);
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const steps: readonly number[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 30, 90, 365].map((count) => count * day),
];

/** A round stretch of time, of which at most `most` are in the whole. */
export function roundStep(whole: number, most: number): number {
  return steps.find((step) => whole / step <= most) ?? whole;
}

function roundUp(whole: number): number {
  const step = roundStep(whole, 10);
  return Math.ceil(whole / step) * step;
}

/** Moments for marks below an axis: round since the start, or by the clock on the wall of somebody `offset` milliseconds off UTC. */
export function ticksOf(axis: Axis, most: number, isClock: boolean, offset: number): { at: number; step: number }[] {
  const folded = axis.folds.reduce((sum, { from, to }) => sum + to - from, 0);
  const step = roundStep(axis.end - axis.start - folded, most);
  const origin = isClock ? Math.ceil((axis.start + offset) / step) * step - offset : axis.start;
  const ticks: { at: number; step: number }[] = [];
  for (let at = origin; at <= axis.end && ticks.length < 1000; at += step) {
    const fold = axis.folds.find(({ from, to }) => at >= from && at <= to);
    if (fold === undefined) ticks.push({ at, step });
    // What is folded may be long, and has no marks.
    else at += Math.floor((fold.to - at) / step) * step;
  }
  return ticks;
}

/** `0:00`, `1:30`, `2:05:00`, and below a second `0.25s`. */
export function elapsedText(ms: number, step: number): string {
  if (step < second) return `${(ms / second).toFixed(step < 10 ? 3 : step < 100 ? 2 : 1)}s`;
  const seconds = Math.round(ms / second);
  const two = (value: number): string => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest.replace(/^0/u, "");
}
