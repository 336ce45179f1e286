import { describe, expect, it } from "vitest";
import type { RunLine } from "../../views/page/page-records.ts";
import { summariseRuns } from "../../views/page/summarise-runs.ts";
import { isWanted, nameFilters, queryFor, readFilters } from "./filters.ts";
import { mergeLines } from "./load-runs.ts";

const now = new Date(2026, 4, 20, 14, 0).getTime();
const line = {
  run_id: "run_1",
  workflow: "release",
  label: "2.4.0",
  standing: "asks",
  says: "Publish to production?",
  started_at: new Date(2026, 4, 19, 23, 0).toISOString(),
  sequence: 4,
} as unknown as RunLine;

describe("filters of runs", () => {
  it("leave out what means nothing", () => {
    expect(readFilters({ since: "never", text: "", other: "x", workflow: "release" })).toEqual({ workflow: "release" });
  });

  it("let through what the server would", () => {
    expect(isWanted(line, {}, now)).toBe(true);
    expect(isWanted(line, { status: "asks,interrupted", workflow: "release", text: "PRODUCTION " }, now)).toBe(true);
    expect(isWanted(line, { status: "done" }, now)).toBe(false);
    expect(isWanted(line, { started_by: "web page" }, now)).toBe(false);
    expect(isWanted(line, { since: "today" }, now)).toBe(false);
    expect(isWanted(line, { since: "yesterday" }, now)).toBe(true);
  });

  it("count days by the reader's clock", () => {
    expect(queryFor({ since: "today" }, now).since).toBe(new Date(2026, 4, 20).toISOString());
  });

  it("are named where they let nothing through", () => {
    expect(nameFilters({ status: "failed,crashed", since: "week", text: "x" })).toBe(
      "state failed, since 7 days ago, with “x”",
    );
    expect(nameFilters({})).toBe("");
  });
});

describe("lines of runs", () => {
  it("never become older than they were", () => {
    const later = { ...line, sequence: 9 };
    expect(mergeLines(mergeLines(undefined, [later]), [line]).get("run_1")).toBe(later);
    expect(mergeLines(mergeLines(undefined, [line]), [later]).get("run_1")).toBe(later);
    expect(mergeLines(mergeLines(undefined, [line]), [], ["run_1"]).size).toBe(0);
  });

  it("are told in a sentence", () => {
    expect(summariseRuns({ asks: 2, interrupted: 1, running: 3, done: 60 }, { done: 33, failed: 4 })).toBe(
      "2 wait for an answer, 1 was interrupted, 3 are running. Of the 37 of today that ended, 33 succeeded.",
    );
    expect(summariseRuns({ done: 2 }, { done: 2 })).toBe(
      "Nothing runs, and nobody is waited for. All 2 of today that ended succeeded.",
    );
  });
});
