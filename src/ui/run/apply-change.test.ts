import { describe, expect, it } from "vitest";
import type { BlockCard, Level, PageEdge, RunHead } from "../../views/page/page-records.ts";
import { applyChange } from "./apply-change.ts";

const head = { run_id: "run_1", standing: "running", sequence: 1 } as unknown as RunHead;
const card = (address: string, standing: BlockCard["standing"]): BlockCard =>
  ({ address, name: address, standing }) as unknown as BlockCard;
const edge = (from: string, to: string, decided: PageEdge["decided"]): PageEdge => ({
  from,
  to,
  kind: "required",
  decided,
});
const level: Level = {
  head,
  crumbs: [],
  holds: "workflow",
  blocks: [card("a", "running"), card("b", "to_come")],
  edges: [edge("a", "b", "open")],
};

describe("a change of a level", () => {
  it("takes the place of what has the same address, and moves nothing", () => {
    const next = applyChange(level, {
      head: { ...head, sequence: 2 },
      blocks: [card("b", "running"), card("a", "done")],
    });
    expect(next.blocks.map(({ address, standing }) => [address, standing])).toEqual([
      ["a", "done"],
      ["b", "running"],
    ]);
    expect(next.head.sequence).toBe(2);
    expect(next.edges).toBe(level.edges);
  });

  it("keeps the records of blocks that have not changed", () => {
    expect(applyChange(level, { head, blocks: [card("b", "done")] }).blocks[0]).toBe(level.blocks[0]);
    expect(applyChange(level, { head, blocks: [] }).blocks).toBe(level.blocks);
  });

  it("puts what is new after the others, unless it says in which order", () => {
    const added = [card("c", "running")];
    expect(applyChange(level, { head, blocks: added }).blocks.map(({ address }) => address)).toEqual(["a", "b", "c"]);
    const ordered = applyChange(level, { head, blocks: added, order: ["c", "b"] });
    expect(ordered.blocks.map(({ address }) => address)).toEqual(["c", "b"]);
  });

  it("changes the edge between the same two blocks", () => {
    const next = applyChange(level, { head, blocks: [], edges: [edge("a", "b", "went"), edge("b", "c", "open")] });
    expect(next.edges.map(({ from, decided }) => [from, decided])).toEqual([
      ["a", "went"],
      ["b", "open"],
    ]);
  });
});
