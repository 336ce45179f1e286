import { expect, test } from "vitest";
import { toData, type WordedDiagnostic } from "./diagnostic.ts";

test("a diagnostic goes out with its own fields, whatever else came with it", () => {
  const failed = { ok: false, start: 3 } as const;
  const diagnostic: WordedDiagnostic = { ...failed, code: "unknown-block", level: "error", message: "No." };
  expect(toData(diagnostic)).toEqual({ code: "unknown-block", level: "error", message: "No." });
  expect(toData({ ...diagnostic, why: "w", fix: "f" })).toMatchObject({ why: "w", fix: "f" });
});
