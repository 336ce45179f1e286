import { expect, test } from "vitest";
import { failureOf, waitIn } from "./overload.ts";

test.each([
  ["exceeded retry limit, last status: 429 Too Many Requests", true],
  ["unexpected status 503 Service Unavailable: x, url: http://127.0.0.1:5030/v1", true],
  ['[API Error: {"error":{"code":503,"message":"x","status":"UNAVAILABLE"}}]', true],
  ["unexpected status 401 Unauthorized: x, url: http://127.0.0.1:5030/v1", false],
  ["The model does not exist", false],
])("%s", (message, isOverload) => {
  expect(failureOf(message)).toEqual({ message, isOverload });
});

test("a status goes before words", () => {
  expect(failureOf("Overloaded", 401).isOverload).toBe(false);
  expect(failureOf("No", 529).isOverload).toBe(true);
});

test.each([
  ["Please try again in 7s.", 7000],
  ["Please retry in 7.25s.", 7250],
  ["retry after 20 s", 20_000],
  ["try again in 350ms", 350],
  ["Try again in 2m", 120_000],
  ["try again in 99999999s", 24 * 3600 * 1000],
  ["try again in a moment", undefined],
  ["try again in ...s", undefined],
])("how long to wait is read from: %s", (message, wait) => {
  expect(waitIn(message)).toBe(wait);
});
