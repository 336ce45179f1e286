import fc from "fast-check";
import { expect, test } from "vitest";
import { keyOfEdge } from "./columns.ts";
import type { Placed, Shape } from "./drawn-graph.ts";
import { type Layout, layOut } from "./lay-out.ts";
import { pathThrough } from "./route-edges.ts";

const anyShape: fc.Arbitrary<Shape> = fc
  .array(
    fc.record({
      width: fc.integer({ min: 76, max: 176 }),
      height: fc.constantFrom(40, 60),
      waitsFor: fc.array(fc.nat(), { maxLength: 3 }),
      isLast: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
    }),
    { minLength: 1, maxLength: 24 },
  )
  .map((given) => ({
    boxes: given.map(({ width, height, isLast }, index) => ({ id: `b${index}`, width, height, isFinally: isLast })),
    edges: given.flatMap(({ waitsFor }, index) =>
      index === 0 ? [] : waitsFor.map((number) => ({ from: `b${number % index}`, to: `b${index}` })),
    ),
  }));

const few = { numRuns: 60 };

test("no two boxes of a graph overlap", () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      const { boxes, width, height } = layOut(shape);
      for (const [index, box] of boxes.entries()) {
        expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height).toBe(true);
        for (const other of boxes.slice(index + 1)) expect(overlap(box, other), `${box.id} ${other.id}`).toBe(false);
      }
    }),
    few,
  );
});

test("every edge goes from the right side of its box to the left side of another, never back, and through no box", () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      const layout = layOut(shape);
      const isFinally = new Map(shape.boxes.map((box) => [box.id, box.isFinally]));
      for (const { from, to } of shape.edges) {
        const points = layout.routes.get(keyOfEdge(from, to));
        if (isFinally.get(from) !== isFinally.get(to)) expect(points).toBeUndefined();
        else expectRoute(layout, from, to, points ?? []);
      }
    }),
    few,
  );
});

test("the same shape gives the same layout", () => {
  fc.assert(
    fc.property(anyShape, (shape) => {
      expect(layOut(structuredClone(shape))).toEqual(layOut(shape));
    }),
    few,
  );
});

test("a block stands in its wave: one column after the last that it waits for", () => {
  const { boxes } = layOut(
    shapeOfNames(
      "plan changelog install build late",
      "plan>changelog plan>install install>build build>late changelog>late",
    ),
  );
  expect(boxes.map(({ id, column }) => [id, column])).toEqual(
    expect.arrayContaining([
      ["plan", 0],
      ["changelog", 1],
      ["install", 1],
      ["build", 2],
      ["late", 3],
    ]),
  );
});

test("edges in a circle, to themselves or to blocks elsewhere are left out, the others drawn", () => {
  const { routes } = layOut(shapeOfNames("a b c d", "a>b b>a c>c c>nowhere c>d c>d"));
  expect([...routes.keys()]).toEqual([keyOfEdge("c", "d")]);
});

test("a graph without blocks is empty", () => {
  expect(layOut({ boxes: [], edges: [] })).toMatchObject({ width: 0, height: 0, boxes: [] });
});

test("blocks of finally stand in an area of their own, bottom right", () => {
  const shape = shapeOfNames("a b c d", "a>b b>c");
  const boxes = shape.boxes.map((box) => ({ ...box, isFinally: box.id === "d" }));
  const layout = layOut({ ...shape, boxes });
  const area = layout.finallyArea ?? { x: 0, y: 0, width: 0, height: 0 };
  const last = layout.boxes.at(-1);
  expect(last?.id).toBe("d");
  expect(area.x + area.width).toBe(layout.width);
  for (const box of layout.boxes.slice(0, -1)) expect(overlap(box, { ...area })).toBe(false);
});

test("many blocks that nothing joins stand in rows", () => {
  const names = Array.from({ length: 100 }, (_, index) => `b${index}`).join(" ");
  const { width, height, boxes } = layOut(shapeOfNames(names, "b0>nowhere"));
  expect(boxes).toHaveLength(100);
  expect(height).toBeLessThan(width);
});

test("a path has round corners, smaller ones where there is no room, and ends a little before its end", () => {
  const corner = [
    { x: 0, y: 0 },
    { x: 20, y: 0 },
    { x: 20, y: 6 },
    { x: 40, y: 6 },
  ];
  expect(pathThrough(corner)).toBe("M0 0L17 0Q20 0 20 3L20 3Q20 6 23 6L33 6");
});

function shapeOfNames(names: string, edges: string): Shape {
  return {
    boxes: names.split(" ").map((id) => ({ id, width: 100, height: 40, isFinally: false })),
    edges: edges.split(" ").map((edge) => {
      const [from = "", to = ""] = edge.split(">");
      return { from, to };
    }),
  };
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function overlap(one: Area, other: Area): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

function expectRoute({ boxes }: Layout, from: string, to: string, points: readonly { x: number; y: number }[]): void {
  const find = (id: string): Placed | undefined => boxes.find((box) => box.id === id);
  const [start, end] = [find(from), find(to)];
  expect(points[0]?.x).toBe((start?.x ?? 0) + (start?.width ?? 0));
  expect(points[0]?.y).toBe((start?.y ?? 0) + (start?.height ?? 0) / 2);
  expect(points.at(-1)).toEqual({ x: end?.x, y: (end?.y ?? 0) + (end?.height ?? 0) / 2 });
  for (const [index, point] of points.slice(1).entries()) {
    const before = points[index] ?? point;
    expect(point.x).toBeGreaterThanOrEqual(before.x);
    expect(point.x === before.x || point.y === before.y).toBe(true);
    const line = {
      x: before.x,
      y: Math.min(before.y, point.y),
      width: point.x - before.x,
      height: Math.abs(before.y - point.y),
    };
    for (const box of boxes) {
      if (box.id !== from && box.id !== to) expect(overlap(line, box), `${from}>${to} through ${box.id}`).toBe(false);
    }
  }
}
