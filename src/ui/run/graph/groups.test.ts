import { expect, test } from "vitest";
import { layOut } from "../../../drawing/graph/lay-out.ts";
import type { BlockCard, PageEdge } from "../../../views/page/page-records.ts";
import { shapeOfGroups } from "./group-graph.tsx";
import { groupBlocks, groupEdges, groupLine } from "./groups.ts";
import { neighbourhood } from "./neighbourhood.ts";

test("blocks are grouped by what their names begin with, in the order of their waves", () => {
  const groups = groupBlocks([card("index_02", 2), card("list", 0), card("fetch_01", 1), card("index_01", 2)], "name");
  expect(groups.map(({ name, blocks }) => [name, blocks.length])).toEqual([
    ["list", 1],
    ["fetch_01", 1],
    ["index_*", 2],
  ]);
});

test("names without numbers give groups, too, and never too many", () => {
  const blocks = Array.from({ length: 500 }, (_, index) =>
    card(`part-${index % 30}-${"abcdefghij"[index % 10]}${index}x`, 0),
  );
  const groups = groupBlocks(blocks, "name");
  expect(groups.length).toBeLessThanOrEqual(40);
  expect(groups.flatMap((group) => group.blocks)).toHaveLength(500);
});

test("groups by wave, by state and by workflow", () => {
  const blocks = [card("a", 0), card("b", 1, "failed"), { ...card("c", 1), workflow: "build-node" }];
  expect(groupBlocks(blocks, "wave").map(({ name }) => name)).toEqual(["a", "wave 2"]);
  expect(groupBlocks([...blocks, card("d", 3, "failed")], "state").map(({ name }) => name)).toContain("failed");
  expect(groupBlocks([...blocks, card("d", 3)], "workflow").map(({ name }) => name)).toContain("Shell");
});

test("edges between groups are counted, and lead only onwards", () => {
  const groups = groupBlocks([card("a_1", 0), card("a_2", 2), card("b_1", 1), card("b_2", 3)], "name");
  const edges = groupEdges(groups, [
    edge("a_1", "b_1"),
    edge("b_1", "a_2"),
    edge("a_2", "b_2", "open"),
    edge("a_1", "a_2"),
  ]);
  expect(edges).toEqual([{ from: "a_*", to: "b_*", count: 2, decided: "went" }]);
});

test("a group says what is not done of it, the worst first", () => {
  const [group] = groupBlocks(
    [card("a_1", 0, "to_come"), card("a_2", 0, "failed"), card("a_3", 0, "running"), card("a_4", 0)],
    "name",
  );
  expect(group && groupLine(group)).toBe("1 failed · 1 running");
  const [done] = groupBlocks([card("a_1", 0), card("a_2", 0)], "name");
  expect(done && groupLine(done)).toBe("all done");
});

test("2,000 blocks are grouped and laid out in a moment", () => {
  const names = ["fetch", "unpack", "verify", "index", "render"];
  const blocks = Array.from({ length: 2000 }, (_, index) =>
    card(`${names[index % 5]}_${Math.floor(index / 5)}`, index % 5),
  );
  const edges = blocks.slice(0, -1).map((block, index) => edge(block.address, blocks[index + 1]?.address ?? ""));
  const begun = performance.now();
  const groups = groupBlocks(blocks, "name");
  expect(layOut(shapeOfGroups({ groups, lines: groupEdges(groups, edges) })).boxes).toHaveLength(5);
  // A hundred times as long as it takes on an idle machine.
  expect(performance.now() - begun).toBeLessThan(10_000);
});

test("what a block hangs together with: one step both ways, or all before or after it, the nearest first", () => {
  const edges = [edge("a", "b"), edge("b", "c"), edge("c", "d"), edge("c", "e"), edge("x", "e")];
  expect([...neighbourhood(edges, "c", "step", 100)]).toEqual(["c", "b", "d", "e"]);
  expect([...neighbourhood(edges, "c", "before", 100)]).toEqual(["c", "b", "a"]);
  expect([...neighbourhood(edges, "b", "after", 100)]).toEqual(["b", "c", "d", "e"]);
  expect([...neighbourhood(edges, "a", "after", 3)]).toEqual(["a", "b", "c"]);
});

function card(name: string, wave: number, standing: BlockCard["standing"] = "done"): BlockCard {
  return {
    ...{ address: name, name, type: "Shell", standing, wave, started_at: null, duration_ms: 0, attempt: 1 },
    ...{ holds: "none", spans: [] },
  };
}

function edge(from: string, to: string, decided: PageEdge["decided"] = "went"): PageEdge {
  return { from, to, kind: "required", decided };
}
