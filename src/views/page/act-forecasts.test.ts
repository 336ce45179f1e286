import { expect, test } from "vitest";
import { foreseeCancel, foreseeResume } from "./act-forecasts.ts";
import type { BlockCard } from "./page-records.ts";

const card = (name: string, standing: BlockCard["standing"]): BlockCard =>
  ({ address: name, name, standing }) as BlockCard;

test("a cancel names what it stops, and counts what it does not name", () => {
  const going = Array.from({ length: 14 }, (_, index) => card(`b${index}`, index === 0 ? "asks" : "running"));
  const { stops, more } = foreseeCancel({ blocks: [card("done", "done"), ...going, card("later", "to_come")] });
  expect(stops).toHaveLength(12);
  expect(stops[0]).toEqual({ address: "b0", name: "b0", standing: "asks" });
  expect(more).toBe(2);
  expect(foreseeCancel({ blocks: [card("done", "done")] })).toMatchObject({ stops: [], more: 0 });
});

test("what becomes of blocks whose process ended can be chosen, and only there", () => {
  expect(foreseeResume({ standing: "interrupted" }).rules.map(([rule]) => rule)).toEqual(["", "rerun", "ask", "fail"]);
  expect(foreseeResume({ standing: "sleeping", wake_at: "2026-01-31T14:05:00.000Z" })).toEqual({
    says: "This server goes on with it; what sleeps until <2026-01-31T14:05:00.000Z> still does.",
    rules: [],
  });
});
