import { expect, test } from "vitest";
import { unwrap } from "../../test/rig/unwrap.ts";
import { parseCron } from "./cron-expression.ts";
import { nextTimes } from "./cron-times.ts";

/** In Berlin clocks went from 02:00 to 03:00 at 01:00Z on 29 March 2026, and from 03:00 to 02:00 at 01:00Z on 25 October. */
const [spring, autumn] = ["2026-03-28T12:00Z", "2026-10-24T12:00Z"];

test.each([
  ["30 2 * * *", spring, ["03-29T01:00", "03-30T00:30"]],
  ["0,30 2,3 * * *", spring, ["03-29T01:00", "03-29T01:30", "03-30T00:00"]],
  ["*/30 2 * * *", spring, ["03-30T00:00", "03-30T00:30"]],
  ["59 * 29 3 *", "2026-03-29T00:00Z", ["03-29T00:59", "03-29T01:59"]],
  ["30 2 * * *", autumn, ["10-25T00:30", "10-26T01:30"]],
  ["30 * 25 10 *", "2026-10-24T23:45Z", ["10-25T00:30", "10-25T01:30", "10-25T02:30"]],
  ["*/30 2 * * *", autumn, ["10-25T00:00", "10-25T00:30", "10-25T01:00", "10-25T01:30", "10-26T01:00"]],
])("by the clocks of Berlin '%s' comes after %s at %j", (text, after, expected) => {
  const times = nextTimes(unwrap(parseCron(text)), new Date(after), expected.length, "Europe/Berlin");
  expect(times.map((time) => time.toISOString().slice(5, 16))).toEqual(expected);
});

test.each([
  ["UTC", "2026-06-02T03:00"],
  ["Asia/Kolkata", "2026-06-01T21:30"],
  ["America/New_York", "2026-06-02T07:00"],
])("03:00 in %s is %s in UTC", (zone, expected) => {
  const [next] = nextTimes(unwrap(parseCron("0 3 * * *")), new Date("2026-06-01T12:00Z"), 1, zone);
  expect(next?.toISOString().slice(0, 16)).toBe(expected);
});

test("a day that a zone leaves out is made up for at its end, once", () => {
  // Samoa had no 30 December 2011.
  const times = nextTimes(unwrap(parseCron("0 0 * * *")), new Date("2011-12-29T12:00Z"), 3, "Pacific/Apia");
  expect(times.map((time) => time.toISOString())).toEqual([
    "2011-12-30T10:00:00.000Z",
    "2011-12-31T10:00:00.000Z",
    "2012-01-01T10:00:00.000Z",
  ]);
});
