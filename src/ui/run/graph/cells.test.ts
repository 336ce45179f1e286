import { expect, test } from "vitest";
import { cellAt, cellBeside, gridOf, gridPaths, rowsOf, stripPaths } from "./cells.ts";

test("cells are one path for each way to stand, however many there are", () => {
  const letters = "d".repeat(9000) + "f".repeat(500) + ".".repeat(500);
  const paths = gridPaths(letters, { count: letters.length, columns: 100, pitch: 5 }, 0, 0);
  expect(paths.map(([standing, path]) => [standing, path.split("M").length - 1])).toEqual([
    ["done", 9000],
    ["failed", 500],
    ["to_come", 500],
  ]);
});

test("a cell is found where it is drawn, and nothing outside", () => {
  const grid = { count: 10, columns: 4, pitch: 6 };
  expect(rowsOf(grid)).toBe(3);
  expect(cellAt(grid, 1, 1)).toBe(0);
  expect(cellAt(grid, 13, 8)).toBe(6);
  expect(cellAt(grid, 13, 13)).toBeUndefined();
  expect(cellAt(grid, 25, 1)).toBeUndefined();
  expect(cellAt(grid, -1, 1)).toBeUndefined();
});

test("arrow keys move among cells and stop at the border", () => {
  const grid = { count: 10, columns: 4, pitch: 6 };
  expect(cellBeside(grid, 0, "ArrowRight")).toBe(1);
  expect(cellBeside(grid, 1, "ArrowDown")).toBe(5);
  expect(cellBeside(grid, 7, "ArrowDown")).toBe(7);
  expect(cellBeside(grid, 0, "ArrowUp")).toBe(0);
  expect(cellBeside(grid, 3, "End")).toBe(9);
  expect(cellBeside(grid, 9, "Home")).toBe(0);
  expect(cellBeside(grid, 3, "Enter")).toBeUndefined();
});

test("a grid is about square, and no wider than it may be", () => {
  expect(gridOf(256, 48, 6).columns).toBe(16);
  expect(gridOf(3, 48, 6).columns).toBe(3);
  expect(gridOf(100_000, 48, 6).columns).toBe(48);
});

test("in a strip height tells what colour tells: what failed stands higher than what is done", () => {
  const paths = new Map(stripPaths("df", 0, 20, 20));
  expect(paths.get("done")).toBe("M0 13h9v7h-9z");
  expect(paths.get("failed")).toBe("M10 9h9v11h-9z");
});
