import fc from "fast-check";
import { expect, test } from "vitest";
import { elapsedText, findIdle, makeAxis, roundStep, ticksOf } from "./axis.ts";

test("idle of more than a third of the axis is folded, less is not", () => {
  const busy = [
    { from: 0, to: 10 },
    { from: 20, to: 30 },
    { from: 90, to: 100 },
  ];
  expect(findIdle(0, 100, busy)).toEqual([{ from: 30, to: 90 }]);
  const axis = makeAxis(0, 100, true, busy);
  expect(axis.at(90) - axis.at(30)).toBeCloseTo(0.04);
  expect(axis.at(100)).toBeLessThan(1);
});

test("a run that only waits since long shows what ran before it", () => {
  const axis = makeAxis(0, 36_000_000, false, [{ from: 0, to: 60_000 }]);
  expect(axis.folds).toHaveLength(1);
  expect(axis.at(60_000)).toBeGreaterThan(0.6);
});

test("a later time is never left of an earlier one, and both are on the axis", () => {
  const stretch = fc.tuple(fc.nat(1000), fc.nat(300)).map(([from, length]) => ({ from, to: from + length }));
  fc.assert(
    fc.property(fc.array(stretch), fc.nat(2000), fc.nat(2000), fc.boolean(), (busy, one, other, isOver) => {
      const axis = makeAxis(0, 1300, isOver, busy);
      const [early, late] = [axis.at(Math.min(one, other)), axis.at(Math.max(one, other))];
      expect(early).toBeGreaterThanOrEqual(0);
      expect(early).toBeLessThanOrEqual(late + 1e-9);
      expect(late).toBeLessThanOrEqual(1);
    }),
  );
});

test("what took no time has a place, even where nothing else ran", () => {
  const axis = makeAxis(0, 1000, true, [{ from: 0, to: 0 }]);
  expect([axis.at(0), axis.at(1000)]).toEqual([0, expect.closeTo(0.04)]);
});

test("the axis of what runs keeps its end for a while", () => {
  const ends = [61_000, 62_000, 63_000].map((now) => makeAxis(0, now, false, [{ from: 0, to: now }]).end);
  expect(new Set(ends).size).toBe(1);
});

test("marks stand at round times, few of them, none in what is folded", () => {
  const axis = makeAxis(500, 252_500, true, [{ from: 500, to: 252_500 }]);
  expect(ticksOf(axis, 8, false, 0).map(({ at }) => at - 500)).toEqual([0, 60_000, 120_000, 180_000, 240_000]);
  expect(ticksOf(axis, 8, true, 0).map(({ at }) => at)).toEqual([60_000, 120_000, 180_000, 240_000]);
  const folded = makeAxis(0, 1e9, true, [
    { from: 0, to: 1000 },
    { from: 1e9 - 1000, to: 1e9 },
  ]);
  for (const { at } of ticksOf(folded, 8, false, 0)) expect(at <= 1000 || at >= 1e9 - 1000).toBe(true);
});

test("a step is round", () => {
  expect(roundStep(300_000, 6)).toBe(60_000);
  expect(roundStep(9, 10)).toBe(1);
  expect(roundStep(7_000_000, 8)).toBe(900_000);
});

test("times since the start are as short as they can be", () => {
  expect(elapsedText(0, 1000)).toBe("0:00");
  expect(elapsedText(90_000, 1000)).toBe("1:30");
  expect(elapsedText(600_000, 60_000)).toBe("10:00");
  expect(elapsedText(7_500_000, 60_000)).toBe("2:05:00");
  expect(elapsedText(250, 50)).toBe("0.25s");
});
