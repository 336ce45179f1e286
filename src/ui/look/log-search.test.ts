import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogRow } from "./log-lines.ts";
import { LogSearch, markHits, patternOf, stepFound } from "./log-search.ts";

describe("LogSearch", () => {
  it("finds a text in capitals or not, and as it stands", () => {
    const rows = rowsOf(["npm warn Retry (1)", "a retry (1)", "retry 1", "else"]);
    expect(new LogSearch(matcher("retry (1)")).look(rows)).toEqual([0, 1]);
  });

  it("finds any text that a line holds", () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (before, text, after) => {
        const rows = rowsOf([before + text + after]);
        expect(new LogSearch(matcher(text)).look(rows)).toEqual([0]);
      }),
    );
    expect(new LogSearch(matcher("--a/b-c.d*")).look(rowsOf(["x --a/b-c.d* y"]))).toEqual([0]);
  });

  it("looks only at what is new when the log has grown", () => {
    let looked = 0;
    const search = new LogSearch(({ text }) => {
      looked++;
      return text === "a";
    });
    const rows = rowsOf(["a", "b"]);
    search.look(rows);
    rows.push(...rowsOf(["a"]));
    expect(search.look(rows)).toEqual([0, 2]);
    expect(looked).toBe(3);
  });

  it("begins anew when lines have been taken out", () => {
    const search = new LogSearch(({ text }) => text === "a");
    const rows = rowsOf(["b", "b", "a"]);
    expect(search.look(rows)).toEqual([2]);
    expect(search.look(rows.slice(1))).toEqual([1]);
  });
});

describe("stepFound", () => {
  it("goes round the ends", () => {
    expect(stepFound([2, 5, 9], 5, 1)).toBe(9);
    expect(stepFound([2, 5, 9], 9, 1)).toBe(2);
    expect(stepFound([2, 5, 9], 2, -1)).toBe(9);
    expect(stepFound([2, 5, 9], undefined, -1)).toBe(9);
    expect(stepFound([], 3, 1)).toBeUndefined();
  });
});

describe("markHits", () => {
  it("marks a text that goes across colours", () => {
    const styles = [
      [6, "red"],
      [10, ""],
    ] as const;
    expect(markHits("npm retry, retry", styles, patternOf("retry"))).toEqual([
      { text: "npm ", class: "red", isHit: false },
      { text: "re", class: "red", isHit: true },
      { text: "try", class: "", isHit: true },
      { text: ", ", class: "", isHit: false },
      { text: "retry", class: "", isHit: true },
    ]);
  });
});

function matcher(text: string): (row: LogRow) => boolean {
  return ({ text: line }) => line.search(patternOf(text) ?? /$^/) !== -1;
}

function rowsOf(texts: readonly string[]): LogRow[] {
  return texts.map((text) => ({ at: 0, stream: "stdout", text }));
}
