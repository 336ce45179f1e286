import { expect, test } from "vitest";
import { formatAge, formatTime } from "./format-time.ts";

const now = Date.parse("2030-06-15T12:00:00Z");
const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000] as const;

test.each([
  [-5 * second, "0s ago"],
  [0, "0s ago"],
  [59.9 * second, "59s ago"],
  [minute, "1m ago"],
  [59 * minute, "59m ago"],
  [47 * hour, "47h ago"],
  [2 * day, "2d ago"],
  [29 * day, "29d ago"],
])("%i milliseconds are '%s'", (age, text) => {
  expect(formatAge(new Date(now - age).toISOString(), now)).toBe(text);
});

test("what was long ago has its date, where the reader is", () => {
  const at = new Date(2030, 0, 2, 3, 4, 5).toISOString();
  expect(formatTime(at)).toBe("2030-01-02 03:04:05");
  expect(formatAge(at, now)).toBe("2030-01-02");
});
