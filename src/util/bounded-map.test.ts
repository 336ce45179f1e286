import { expect, test } from "vitest";
import { BoundedMap } from "./bounded-map.ts";

test("what was not asked for the longest time makes room", () => {
  const map = new BoundedMap<number>(10);
  map.set("a", 1, 4);
  map.set("b", 2, 4);
  expect(map.get("a")).toBe(1);
  map.set("c", 3, 4);
  expect(["a", "b", "c"].map((key) => map.get(key))).toEqual([1, undefined, 3]);
});

test("one that is replaced or deleted weighs nothing any more", () => {
  const map = new BoundedMap<number>(10);
  map.set("a", 1, 8);
  map.set("a", 2, 2);
  map.set("b", 3, 8);
  expect([map.get("a"), map.get("b")]).toEqual([2, 3]);
  map.delete("b");
  map.set("c", 4, 8);
  expect([map.get("a"), map.get("c")]).toEqual([2, 4]);
});

test("one that is too heavy is not kept, and takes no other's room", () => {
  const map = new BoundedMap<number>(10);
  map.set("a", 1, 10);
  map.set("b", 2, 11);
  expect([map.get("a"), map.get("b")]).toEqual([1, undefined]);
});
