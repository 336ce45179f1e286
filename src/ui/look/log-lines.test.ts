import { describe, expect, it } from "vitest";
import type { LogLine } from "../../views/page/detail-records.ts";
import { LogStore, windowOf } from "./log-lines.ts";

describe("LogStore", () => {
  it("keeps each line once when the stream begins anew", () => {
    const store = new LogStore();
    store.add({ lines: lines(1, 5) }, true);
    store.add({ lines: lines(6, 8) }, false);
    store.add({ lines: lines(4, 9), skipped: 3 }, true);
    expect(texts(store)).toEqual(lines(1, 9).map(({ text }) => text));
    expect(store.skipped).toBe(0);
  });

  it("forgets what was there when it is another log, or when lines between are missing", () => {
    const store = new LogStore();
    store.add({ lines: lines(1, 5) }, true);
    store.add({ lines: lines(100, 101), skipped: 99 }, true);
    expect(texts(store)).toEqual(["line 100", "line 101"]);
    expect(store.skipped).toBe(99);
    store.add({ lines: lines(7, 8) }, true);
    expect(texts(store)).toEqual(["line 7", "line 8"]);
    expect(store.skipped).toBe(0);
  });

  it("tells how many lines were left out in between", () => {
    const store = new LogStore();
    store.add({ lines: lines(1, 2) }, true);
    store.add({ lines: lines(10, 10), skipped: 7 }, false);
    expect(store.rows.map(({ leftOut }) => leftOut)).toEqual([undefined, undefined, 7, undefined]);
  });

  it("drops the first lines of a log that is too long", () => {
    const store = new LogStore(100);
    store.add({ lines: lines(1, 105) }, true);
    expect(store.rows).toHaveLength(105);
    store.add({ lines: lines(106, 120), has_ended: true }, false);
    expect(store.rows).toHaveLength(100);
    expect(store.skipped).toBe(20);
    expect(texts(store)[0]).toBe("line 21");
    expect(store.hasEnded).toBe(true);
  });
});

describe("windowOf", () => {
  it("draws what is in sight, and a few lines around it", () => {
    expect(windowOf(0, 170, 17, 200_000)).toEqual({ first: 0, end: 22 });
    expect(windowOf(17_000, 170, 17, 200_000)).toEqual({ first: 988, end: 1022 });
    expect(windowOf(199_990 * 17, 170, 17, 200_000)).toEqual({ first: 199_978, end: 200_000 });
  });

  it("stays within a log that has become shorter", () => {
    expect(windowOf(17_000, 170, 17, 5)).toEqual({ first: 0, end: 5 });
    expect(windowOf(0, 0, 17, 0)).toEqual({ first: 0, end: 0 });
  });
});

function lines(from: number, to: number): LogLine[] {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    return { at: from + index, stream: "stdout" as const, text: `line ${from + index}` };
  });
}

function texts({ rows }: LogStore): string[] {
  return rows.map(({ text }) => text);
}
