import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { createHeadStore, readOnlyHeads } from "./head-store.ts";

let state: string;

beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), "frond-head-store-"));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
});

const heads = new Map([["key", { description: "Greets", tags: ["one", "two"] }]]);

function onlyFile(): string {
  const [name = ""] = readdirSync(join(state, "heads"));
  return join(state, "heads", name);
}

test("what one process keeps of a directory another one reads, for the user alone", () => {
  createHeadStore(state, "1").write("/project", heads);
  expect(createHeadStore(state, "1").read("/project")).toEqual(heads);
  expect(createHeadStore(state, "1").read("/other")).toEqual(new Map());
  expect(statSync(onlyFile()).mode & 0o077).toBe(0);
});

test("what another Frond has kept says nothing", () => {
  createHeadStore(state, "1").write("/project", heads);
  expect(createHeadStore(state, "2").read("/project")).toEqual(new Map());
});

test.each([
  ["cut off", (text: string) => text.slice(0, -10)],
  ["changed", (text: string) => text.replace("Greets", "Cleans up")],
  ["of another directory", (text: string) => text.replace("/project", "/elsewhere")],
  ["empty", () => ""],
  ["not JSON", () => "{"],
])("a file that is %s says nothing", (_, change) => {
  createHeadStore(state, "1").write("/project", heads);
  writeFileSync(onlyFile(), change(readFileSync(onlyFile(), "utf8")));
  expect(createHeadStore(state, "1").read("/project")).toEqual(new Map());
});

test("entries that are no heads are left out", () => {
  const wrong = new Map<string, unknown>([
    ...heads,
    ["a", null],
    ["b", { description: 1, tags: [] }],
    ["c", { tags: {} }],
  ]);
  createHeadStore(state, "1").write("/project", wrong as typeof heads);
  expect(createHeadStore(state, "1").read("/project")).toEqual(heads);
});

test("where nothing can be written, the process itself still knows, and nothing fails", () => {
  writeFileSync(join(state, "heads"), "in the way");
  const store = createHeadStore(state, "1");
  store.write("/project", heads);
  expect(store.read("/project")).toEqual(heads);
  expect(createHeadStore(state, "1").read("/project")).toEqual(new Map());
});

test("a state directory that is not there is not made", () => {
  const missing = join(state, "missing");
  createHeadStore(missing, "1").write("/project", heads);
  expect(readdirSync(state)).toEqual([]);
});

test("who may leave no trace reads what is there, and writes nothing", () => {
  createHeadStore(state, "1").write("/project", heads);
  const store = readOnlyHeads(createHeadStore(state, "1"));
  store.write("/other", heads);
  expect([store.read("/project"), store.read("/other")]).toEqual([heads, new Map()]);
});

test("at most 64 directories are kept", () => {
  for (let index = 0; index < 70; index++) createHeadStore(state, "1").write(`/project-${index}`, heads);
  expect(readdirSync(join(state, "heads"))).toHaveLength(64);
  expect(createHeadStore(state, "1").read("/project-69")).toEqual(heads);
});

test("writers at the same time leave a whole file", () => {
  mkdirSync(join(state, "heads"));
  chmodSync(join(state, "heads"), 0o700);
  const stores = Array.from({ length: 8 }, () => createHeadStore(state, "1"));
  for (const [index, store] of stores.entries()) {
    store.write("/project", new Map([[`key-${index}`, { description: `${index}`, tags: [] }]]));
    expect([...createHeadStore(state, "1").read("/project").keys()]).toEqual([`key-${index}`]);
  }
  expect(readdirSync(join(state, "heads"))).toHaveLength(1);
});
