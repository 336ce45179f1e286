import { expect, test } from "vitest";
import { readMoment } from "./moment.ts";

const now = new Date(2026, 10, 16, 12, 30).getTime();
const local = (...parts: [number, number, number, number?, number?, number?, number?]): number =>
  new Date(...parts).getTime();

test.each([
  ["90s", now - 90_000],
  ["1.5h", now - 5_400_000],
  [" 3d ", now - 3 * 86_400_000],
  ["2w", now - 14 * 86_400_000],
  ["today", local(2026, 10, 16)],
  ["yesterday", local(2026, 10, 15)],
  ["2026-11-01", local(2026, 10, 1)],
  ["2026-11-01 14:30", local(2026, 10, 1, 14, 30)],
  ["2026-11-01T14:30:05", local(2026, 10, 1, 14, 30, 5)],
  ["2026-11-01T14:30:05.250Z", Date.UTC(2026, 10, 1, 14, 30, 5, 250)],
  ["2026-11-01T14:30+02:00", Date.UTC(2026, 10, 1, 12, 30)],
  ["2024-02-29", local(2024, 1, 29)],
])("'%s' is a time", (text, at) => {
  expect(readMoment(text, now)).toBe(at);
});

test("as an end a day is its end", () => {
  expect(readMoment("2026-11-01", now, true)).toBe(local(2026, 10, 2) - 1);
  expect(readMoment("yesterday", now, true)).toBe(local(2026, 10, 16) - 1);
  expect(readMoment("2h", now, true)).toBe(now - 7_200_000);
});

test.each(["", "2", "h", "-2h", "2 hours", "2026-13-01", "2026-02-30", "2026-11-01 25:00", "tomorrow", "16.11.2026"])(
  "'%s' is no time",
  (text) => {
    expect(readMoment(text, now)).toBeUndefined();
  },
);
