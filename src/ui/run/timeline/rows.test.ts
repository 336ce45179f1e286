import { expect, test } from "vitest";
import type { BlockCard, Level } from "../../../views/page/page-records.ts";
import { countAtOnce } from "./at-once.ts";
import { makeAxis } from "./axis.ts";
import { busyStretches, criticalLinks, rowsByStart, spanOfLevel } from "./rows.ts";

const at = (second: number): string => new Date(second * 1000).toISOString();
const ran = (from: number, to: number | null): BlockCard["spans"][number] => ({
  kind: "ran",
  from: at(from),
  to: to === null ? null : at(to),
});

test("rows stand by start, what has not begun below", () => {
  const rows = rowsByStart([
    card("later", {}),
    card("second", { spans: [ran(5, 6)] }),
    card("first", { spans: [ran(1, 9)] }),
  ]);
  expect(rows.map(({ name }) => name)).toEqual(["first", "second", "later"]);
});

test("waiting for a person is idle, running is not", () => {
  const asked = { kind: "asked", from: at(1), to: null } as const;
  expect(busyStretches([card("a", { spans: [ran(0, 1), asked] })], 9000)).toEqual([{ from: 0, to: 1000 }]);
});

test("a level that goes on lasts until now, one that is over until its last block ended", () => {
  const head = { started_at: at(0), finished_at: null } as Level["head"];
  const level = { head, blocks: [card("a", { spans: [ran(1, 4)] })] } as unknown as Level;
  expect(spanOfLevel(level, 9000)).toEqual({ from: 1000, to: 9000, isOver: false });
  const over = { ...level, head: { ...head, finished_at: at(5) } };
  expect(spanOfLevel(over, 9000)).toEqual({ from: 1000, to: 4000, isOver: true });
});

test("the critical path leads from a block that ended to the next that began", () => {
  const rows = [
    card("a", { spans: [ran(0, 1)] }),
    card("b", { spans: [ran(0, 1)] }),
    card("c", { spans: [ran(2, null)] }),
    card("d", {}),
  ];
  const edge = { kind: "required", decided: "went", is_critical: true } as const;
  const links = criticalLinks(rows, [
    { ...edge, from: "a", to: "c" },
    { ...edge, from: "c", to: "d" },
  ]);
  expect(links).toEqual([{ from: 0, to: 2, at: 2000 }]);
});

test("how many ran at once, and where some failed", () => {
  const axis = { ...makeAxis(0, 1000, true, []), at: (time: number) => time / 1000 };
  const some = [card("a", { spans: [ran(0, 0.5)] }), card("b", { standing: "failed", spans: [ran(0.25, 0.75)] })];
  expect(countAtOnce(some, axis, 1000, 4)).toEqual({ counts: [1, 2, 1, 0], failures: [0.75] });
});

function card(name: string, given: Partial<BlockCard>): BlockCard {
  return {
    ...{ address: name, name, type: "Shell", standing: "done", wave: 0, started_at: null, duration_ms: 0 },
    ...{ attempt: 1, holds: "none", spans: [], ...given },
  };
}
