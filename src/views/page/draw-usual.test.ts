import { expect, test } from "vitest";
import { drawUsual } from "./draw-usual.ts";

const ended = (run_id: string, standing: "done" | "failed", duration_ms: number) => ({
  run_id,
  standing,
  duration_ms,
  started_at: "2026-01-31T14:05:00.000Z",
});

test("the last runs are bars, the oldest first, and one that took much longer is cut", () => {
  const runs = [ended("c", "done", 1000), ended("b", "failed", 500), ended("a", "done", 9000)];
  const { title, says, facts, bars, usual } = drawUsual({ runs, succeeded: 2, duration_ms: 1000 });
  expect([title, says]).toEqual(["Last 3 runs", "2 of 3 succeeded, usually in 1.0s"]);
  expect(facts).toEqual([
    { name: "Usually takes", text: "1.0s" },
    { name: "Succeeded", text: "2 of the last 3" },
  ]);
  expect(bars).toEqual([
    { run_id: "a", kind: "good", says: "succeeded, 9.0s", bar: "M0 10h10V64h-10z", cut: "M-1 15l4 -3 4 3 4 -3" },
    {
      run_id: "b",
      kind: "bad",
      says: "failed, 500ms",
      bar: "M14.6 49.8h10V64h-10z",
      cross: "M16.6 41.8l6 6m0-6l-6 6",
    },
    { run_id: "c", kind: "good", says: "succeeded, 1.0s", bar: "M29.2 35.6h10V64h-10z" },
  ]);
  expect(usual).toBe("M0 35.6H292");
});

test("where no run has ended, that is said", () => {
  const { title, says, facts, bars, usual } = drawUsual({ runs: [], succeeded: 0 });
  expect([title, says, facts, bars, usual]).toEqual(["Last runs", "None has ended yet.", [], [], undefined]);
});
