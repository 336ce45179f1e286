import { describe, expect, it } from "vitest";
import { tellsFailure } from "./tells-failure.ts";

describe("tellsFailure", () => {
  it.each(["npm error 503", "AssertionError: no", " ✗ uploads", "FAIL src/a.test.ts", "3 failed | 2 passed"])(
    "knows %s",
    (text) => expect(tellsFailure(text)).toBe(true),
  );
  it.each(["0 errors", "no failures", "mirror ready", "errors: 0"])("does not take %s for one", (text) =>
    expect(tellsFailure(text)).toBe(false),
  );
});
