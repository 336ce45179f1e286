import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type PictureRow, traceLanes } from "../../../test/rig/trace-lanes.ts";
import type { EdgeKind, GraphBlock, WorkflowGraph } from "../../library/workflow-graph.ts";
import { widthOf } from "../text/visible-text.ts";
import { drawGraph } from "./draw-graph.ts";

type Edges = Readonly<Record<string, readonly (string | [string, EdgeKind])[]>>;

/** Blocks by their ids, each with those it waits for. */
function graph(edges: Edges, more: Readonly<Record<string, Partial<GraphBlock>>> = {}): WorkflowGraph {
  const ids = Object.keys(edges);
  return {
    blocks: ids.map((id) => ({
      id,
      path: id,
      type: "Shell",
      edges: (edges[id] ?? []).map((edge) => {
        const [on, kind] = typeof edge === "string" ? [edge, "required" as const] : edge;
        return { on: ids.indexOf(on), kind };
      }),
      ...more[id],
    })),
  };
}

function draw(shown: WorkflowGraph, columns: number = 80, unicode: boolean = true): string[] {
  return drawGraph("it", shown, { columns, colour: false, unicode });
}

/** Without the title, and without what stands at the right of the ids. */
function lanesOf(shown: WorkflowGraph): string[] {
  return draw(shown)
    .slice(2)
    .map((line) => line.replace(/ +Shell$/, ""));
}

test("blocks that lead to the same one share a line, and a chain goes straight down", () => {
  expect(lanesOf(graph({ lint: [], test: [], package: ["lint", "test"], publish: ["package"] }))).toEqual([
    "●─╮  lint",
    "●─┤  test",
    "  ●  package",
    "  │",
    "  ●  publish",
  ]);
});

test("a fork, a join and what follows are drawn within three lanes, however many blocks are beside each other", () => {
  const many = Array.from({ length: 20 }, (_, index) => `part_${index}`);
  const edges = Object.fromEntries([
    ["start", []],
    ...many.map((id) => [id, ["start"]]),
    ["join", many],
    ["end", ["join"]],
  ]);
  const drawn = lanesOf(graph(edges));
  expect(drawn.slice(0, 3)).toEqual(["●      start", "├─●─╮  part_0", "├─●─┤  part_1"]);
  expect(drawn.slice(-4)).toEqual(["╰─●─┤  part_19", "    ●  join", "╭───╯", "●      end"]);
});

test("what is needed through another block has no line of its own", () => {
  expect(lanesOf(graph({ a: [], b: ["a"], c: ["a", "b"] }))).toEqual(["●  a", "│", "●  b", "│", "●  c"]);
});

test("a dotted line is one that need not have succeeded, and is explained", () => {
  expect(
    lanesOf(graph({ test: [], deploy: ["test"], tell: [["test", "condition"]], tidy: [["tell", "optional"]] })),
  ).toEqual([
    "●    test",
    "├─●  deploy",
    "╰┄●  tell",
    "  ┊",
    "  ●  tidy    Shell · even if tell fails",
    "",
    "A dotted line: the block waits, but the other one need not succeed.",
  ]);
});

test("a line that passes another one leaves it as it is", () => {
  const drawn = lanesOf(graph({ a: [], b: [], c: ["a"], d: ["a", "b"], e: ["b"] }));
  expect(drawn).toEqual(["●      a", "├─●    c", "│ ●    b", "╰─┼─●  d", "  ╰─●  e"]);
});

test("without Unicode the same is drawn in ASCII", () => {
  const shown = graph({ a: [], b: ["a"], c: ["a"], d: ["b", ["c", "optional"]], e: ["d"] });
  const drawn = draw(shown, 80, false).slice(2);
  expect(drawn.slice(0, -2).map((line) => line.replace(/ +Shell.*$/, ""))).toEqual([
    "*      a",
    "+-*    b",
    "`-|-*  c",
    ",-'.'",
    "*      d",
    "|",
    "*      e",
  ]);
  for (const line of drawn) expect(line).toMatch(/^[ -~]*$/);
});

test("what is inside a block is drawn below it, behind a rail; a workflow that is called again is not drawn again", () => {
  const inside = graph({ one: [], two: ["one"] });
  const called = { type: "ExecuteWorkflow", workflow: "child", workflowKey: "child", inside };
  const shown = graph(
    { first: [], second: ["first"], tidy: [] },
    { first: called, second: called, tidy: { finally: true } },
  );
  expect(draw(shown)).toEqual([
    "it  7 blocks",
    "",
    "●  first   ExecuteWorkflow child",
    "│  ┃ ●  one  Shell",
    "│  ┃ │",
    "│  ┃ ●  two  Shell",
    "●  second  ExecuteWorkflow child · drawn above",
    "",
    "finally, when all others have ended:",
    "●  tidy  Shell",
  ]);
});

test("what does not fit beside an id stands below it, and the lines go on beside it", () => {
  const condition = "inputs.environment == 'production' and blocks.test.succeeded";
  const shown = graph({ test: [], deploy: ["test"], tell: ["deploy"] }, { deploy: { condition, attempts: "3" } });
  expect(draw(shown, 44).slice(2)).toEqual([
    "●  test    Shell",
    "│",
    "●  deploy  Shell",
    "│    up to 3 attempts",
    "│    if inputs.environment == 'production'",
    "│    and blocks.test.succeeded",
    "●  tell    Shell",
  ]);
});

test("where the lines do not fit, names say what a block waits for", () => {
  const sources = Array.from({ length: 12 }, (_, index) => `s${index}`);
  const edges: Record<string, string[]> = Object.fromEntries(sources.map((id) => [id, []]));
  // Each pair of them leads to a block of its own, so no two can share a line.
  for (const [index, id] of sources.entries()) edges[`t${index}`] = sources.filter((other) => other !== id);
  const drawn = draw(graph(edges), 40);
  expect(drawn).toContain("●  s0   Shell");
  expect(drawn.join("\n")).toContain("after s1, s2, s3,");
  expect(drawn.slice(-3).join(" ")).toBe(
    "The lines need more room than there is: what a block waits for is named beside it.",
  );
});

test("what is inside is left out where there is no room for it, and that is said", () => {
  const nest = (depth: number): WorkflowGraph =>
    depth === 0
      ? graph({ leaf: [] })
      : graph({ holder: [], next: ["holder"] }, { holder: { type: "group", inside: nest(depth - 1) } });
  const drawn = draw(nest(20), 60);
  expect(drawn.filter((line) => line.includes("holder"))).toHaveLength(8);
  expect(drawn.filter((line) => /┃ 2 blocks$/.test(line))).toHaveLength(1);
  expect(drawn.join(" ")).toContain("Where there is no room for the blocks inside, only their number is shown.");
});

describe("random graphs", () => {
  const kinds = fc.constantFrom<EdgeKind>("required", "required", "required", "optional", "condition");
  const edgeLists = fc.integer({ min: 1, max: 16 }).chain((count) =>
    fc.tuple(
      ...Array.from({ length: count }, (_, index) =>
        fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: Math.max(0, index - 1) }), kinds), {
          selector: ([on]) => on,
          maxLength: Math.min(index, 4),
        }),
      ),
    ),
  );
  const toGraph = (lists: readonly (readonly [number, EdgeKind][])[]): WorkflowGraph =>
    graph(Object.fromEntries(lists.map((own, index) => [`b${index}_`, own.map(([on, kind]) => [`b${on}_`, kind])])));

  function rowsOf(lines: readonly string[]): PictureRow[] {
    const body = lines.slice(2, lines.indexOf("", 2) === -1 ? undefined : lines.indexOf("", 2));
    const width = body[0]?.search(/b\d/) ?? 0;
    return body.map((line) => {
      const [, id] = /^(b\d+_)/.exec(line.slice(width)) ?? [];
      return { ...(id === undefined ? {} : { id }), lanes: line.slice(0, width) };
    });
  }

  /** Whether a block is needed through others anyway. */
  function waysOf(shown: WorkflowGraph): (from: number, to: number) => boolean {
    const needs = (block: number, on: number): boolean =>
      (shown.blocks[block]?.edges ?? []).some(
        (edge) => edge.kind === "required" && (edge.on === on || needs(edge.on, on)),
      );
    return (from, to) =>
      (shown.blocks[to]?.edges ?? []).some(
        (edge) => edge.kind === "required" && edge.on !== from && needs(edge.on, from),
      );
  }

  test.each([true, false])(
    "along its lines, each block is led to from what it waits for and from nothing else, Unicode %s",
    (unicode) => {
      fc.assert(
        fc.property(edgeLists, (lists) => {
          const shown = toGraph(lists);
          const isThroughOthers = waysOf(shown);
          const traced = traceLanes(rowsOf(draw(shown, 200, unicode)));
          const expected = shown.blocks.map(({ id, edges }, index) => [
            id,
            edges
              .filter(({ on, kind }) => kind !== "required" || !isThroughOthers(on, index))
              .map(({ on }) => shown.blocks[on]?.id)
              .sort(),
          ]);
          expect(Object.fromEntries(traced)).toEqual(Object.fromEntries(expected));
        }),
        { numRuns: 150 },
      );
    },
  );

  test("no line is wider than the screen, and each block is there once", () => {
    fc.assert(
      fc.property(edgeLists, fc.integer({ min: 12, max: 90 }), fc.boolean(), (lists, columns, unicode) => {
        const shown = toGraph(lists);
        const drawn = draw(shown, columns, unicode);
        expect(drawn.filter((line) => widthOf(line) >= columns)).toEqual([]);
        for (const { id } of columns < 24 ? [] : shown.blocks) {
          expect(drawn.filter((line) => new RegExp(`^[^;·]*[●*][^;·]* ${id} +Shell`).test(line))).toHaveLength(1);
        }
      }),
      { numRuns: 200 },
    );
  });
});
