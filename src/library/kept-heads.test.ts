import { expect, test, vi } from "vitest";
import type { Source } from "../diagnostic/source.ts";
import { KeptHeads } from "./kept-heads.ts";
import type { HeadStore, KeptHead } from "./workflow-files.ts";

function memoryStore(): HeadStore & { readonly kept: Map<string, ReadonlyMap<string, KeptHead>> } {
  const kept = new Map<string, ReadonlyMap<string, KeptHead>>();
  return {
    kept,
    read: (directory) => kept.get(directory) ?? new Map(),
    write: (directory, heads) => void kept.set(directory, new Map(heads)),
  };
}

const source = (text: string, base = "/p"): Source => ({ name: "a.yaml", text, reach: { base, root: "/p" } });
const greet = { description: "Greets", tags: ["one"] };

test("a text that was found sound is not checked again, by any process", () => {
  const store = memoryStore();
  const first = new KeptHeads(store, "/p");
  expect(first.head(source("name: a"), () => greet)).toEqual(greet);
  first.save();
  const check = vi.fn(() => undefined);
  expect(new KeptHeads(store, "/p").head(source("name: a"), check)).toEqual(greet);
  expect(check).not.toHaveBeenCalled();
});

test("another text, and the same in another place, is checked", () => {
  const store = memoryStore();
  const first = new KeptHeads(store, "/p");
  first.head(source("name: a"), () => greet);
  first.save();
  const other = { description: "Other", tags: [] };
  const again = new KeptHeads(store, "/p");
  expect(again.head(source("name: b"), () => other)).toEqual(other);
  expect(again.head(source("name: a", "/p/inner"), () => other)).toEqual(other);
});

test("what is broken is checked each time", () => {
  const store = memoryStore();
  const heads = new KeptHeads(store, "/p");
  expect(heads.head(source("name: ["), () => undefined)).toBeUndefined();
  heads.save();
  expect(store.kept.size).toBe(0);
});

test("a schedule is read from the file, never from what is kept", () => {
  const store = memoryStore();
  const scheduled = { ...greet, schedule: [] };
  const heads = new KeptHeads(store, "/p");
  expect(heads.head(source("name: a\nschedule: []"), () => scheduled)).toBe(scheduled);
  heads.save();
  expect(store.kept.size).toBe(0);
});

test("only what is there now is kept, and nothing is written where nothing is new", () => {
  const store = memoryStore();
  const first = new KeptHeads(store, "/p");
  for (const text of ["name: a", "name: b"]) first.head(source(text), () => greet);
  first.save();
  const second = new KeptHeads(store, "/p");
  second.head(source("name: a"), () => greet);
  second.save();
  expect(store.kept.get("/p")?.size).toBe(2);
  second.head(source("name: c"), () => greet);
  second.save();
  expect(store.kept.get("/p")?.size).toBe(2);
});
