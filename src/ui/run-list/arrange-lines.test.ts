import { describe, expect, it } from "vitest";
import type { PageStanding, RunLine } from "../../views/page/page-records.ts";
import { arrangeLines, holdOrder, type Item } from "./arrange-lines.ts";

const now = new Date(2026, 4, 20, 14, 0).getTime();
const hour = 3_600_000;

function line(run_id: string, standing: PageStanding, hoursAgo: number): RunLine {
  const started_at = new Date(now - hoursAgo * hour).toISOString();
  return { run_id, workflow: "w", standing, says: "", started_at, questions: [], workspace: "/", sequence: 1 } as never;
}

function keys(items: readonly Item[]): readonly string[] {
  return items.map((item) => (item.kind === "section" ? `${item.name} ${item.count}` : item.key));
}

const run = (key: string): Item => ({ kind: "run", key });

describe("the list of runs", () => {
  it("has those first that need somebody, then what runs, then days", () => {
    const lines = [
      line("old", "failed", 24 * 30),
      line("week", "done", 24 * 3),
      line("yesterday", "done", 20),
      line("morning", "cancelled", 3),
      line("noon", "done", 2),
      line("sleeps", "sleeping", 50),
      line("stopped", "interrupted", 1),
      line("asks", "asks", 24 * 40),
    ];
    expect(keys(arrangeLines(lines, now))).toEqual([
      "Needs somebody 2",
      "asks",
      "stopped",
      "Running 1",
      "sleeps",
      "Today 2",
      "noon",
      "morning",
      "Yesterday 1",
      "yesterday",
      "Sunday 1",
      "week",
      "Earlier 1",
      "old",
    ]);
  });

  it("holds ten thousand lines", () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => line(`run_${index}`, "done", index / 100));
    expect(arrangeLines(lines, now).filter(({ kind }) => kind === "run")).toHaveLength(10_000);
  });
});

describe("lines that are read", () => {
  it("keep their places when a run comes in above them", () => {
    const held = holdOrder([run("a"), run("b")], [run("new"), run("a"), run("b")]);
    expect(keys(held.items)).toEqual(["a", "b"]);
    expect(held.waiting).toBe(1);
  });

  it("keep their places when one of them belongs elsewhere", () => {
    const held = holdOrder([run("a"), run("b"), run("c")], [run("c"), run("a"), run("b")]);
    expect(keys(held.items)).toEqual(["a", "b", "c"]);
    expect(held.waiting).toBe(2);
  });

  it("get older ones below them at once", () => {
    const held = holdOrder([run("a"), run("b")], [run("a"), run("b"), run("older")]);
    expect(keys(held.items)).toEqual(["a", "b", "older"]);
    expect(held.waiting).toBe(0);
    const both = holdOrder([run("a"), run("b")], [run("new"), run("a"), run("b"), run("older")]);
    expect(keys(both.items)).toEqual(["a", "b", "older"]);
    expect(both.waiting).toBe(1);
  });
});
