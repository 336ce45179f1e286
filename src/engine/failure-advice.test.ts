import { expect, test } from "vitest";
import { linesWithoutAdvice } from "./failure-advice.ts";

test("of a message only the advice is left out, wherever it stands", () => {
  const advice =
    "'a' failed and still counts: 'b', 'c' ran because of it, but nothing uses what they made. (If 'a' may fail: `allow_failure: true` on it.)";
  expect(linesWithoutAdvice(`'call' failed: 'a' failed: one\n\ntwo\n${advice}\nthree`)).toEqual([
    "'call' failed: 'a' failed: one",
    "two",
    "three",
  ]);
  expect(linesWithoutAdvice("it still counts: 1")).toEqual(["it still counts: 1"]);
});
