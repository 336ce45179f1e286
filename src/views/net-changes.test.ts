import { expect, test } from "vitest";
import type { RootedPath } from "../block/ports.ts";
import { shownPath } from "../block/rooted-path.ts";
import type { EntryState, RecordedChange, StoredState } from "../changes/recorded-change.ts";
import { type NetChange, netChanges, netRefs } from "./net-changes.ts";

const missing = { kind: "missing" } as const;
const directory = { kind: "directory", mode: 0o755 } as const;

function at(path: string): RootedPath {
  return { root: "/w", path };
}

function file(text: string, mode = 0o644): Extract<StoredState, { kind: "file" }> {
  return { kind: "file", mode, sha256: text, size: text.length };
}

function write(path: string, before: string | undefined, after: string): RecordedChange {
  const { kind: _, ...state } = file(after);
  return {
    kind: "write",
    at: at(path),
    before: before === undefined ? missing : file(before),
    after: state,
    temporary: "",
  };
}

function remove(path: string, before: string): RecordedChange {
  return { kind: "remove", at: at(path), before: file(before) };
}

function move(from: string, to: string, moved: EntryState): RecordedChange {
  return { kind: "rename", from: at(from), to: at(to), moved, replaced: missing };
}

function told(...changes: readonly RecordedChange[]): string[] {
  return netChanges(changes.map((change, index) => ({ by: `b${index + 1}`, changes: [change] }))).map(describe);
}

function describe({ at, from, before, after, by }: NetChange): string {
  const show = (state: EntryState): string => (state.kind === "file" ? (state.sha256 ?? "?") : state.kind);
  const moved = from === undefined ? "" : `${shownPath(from)} -> `;
  return `${moved}${shownPath(at)}: ${show(before)} -> ${show(after)} by ${by.join(" ")}`;
}

test("of several changes of a path the first state and the last are told, with every block", () => {
  expect(told(write("a", "1", "2"), write("a", "2", "3"))).toEqual(["a: 1 -> 3 by b1 b2"]);
  expect(told(write("a", undefined, "1"), write("a", "1", "2"))).toEqual(["a: missing -> 2 by b1 b2"]);
  expect(told(remove("a", "1"), write("a", undefined, "2"))).toEqual(["a: 1 -> 2 by b1 b2"]);
});

test("what was made and taken back is not told", () => {
  expect(told(write("a", undefined, "1"), remove("a", "1"))).toEqual([]);
  expect(told(write("a", "1", "2"), write("a", "2", "1"))).toEqual([]);
});

test("what was moved is told once, by where it lay before", () => {
  expect(told(move("a", "b", file("1")))).toEqual(["a -> b: 1 -> 1 by b1"]);
  expect(told(move("a", "b", file("1")), move("b", "c", file("1")))).toEqual(["a -> c: 1 -> 1 by b1 b2"]);
  expect(told(move("a", "b", file("1")), move("b", "a", file("1")))).toEqual([]);
  expect(told(move("a", "b", file("1")), write("b", "1", "2"))).toEqual(["a -> b: 1 -> 2 by b1 b2"]);
  expect(told(write("a", "1", "2"), move("a", "b", file("2")))).toEqual(["a -> b: 1 -> 2 by b1 b2"]);
});

test("what is new is new where it was moved to", () => {
  expect(told(write("a", undefined, "1"), move("a", "b", file("1")))).toEqual(["b: missing -> 1 by b1 b2"]);
});

test("what takes the place of something that was moved away is new", () => {
  expect(told(move("a", "b", file("1")), write("a", undefined, "2"))).toEqual([
    "a: missing -> 2 by b1 b2",
    "a -> b: 1 -> 1 by b1",
  ]);
});

test("files inside a directory that is moved go with it, before and after", () => {
  expect(told(write("d/x", "1", "2"), move("d", "e", directory))).toEqual([
    "d -> e: directory -> directory by b2",
    "d/x -> e/x: 1 -> 2 by b1 b2",
  ]);
  expect(told(move("d", "e", directory), write("e/x", "1", "2"))).toEqual([
    "d -> e: directory -> directory by b1",
    "d/x -> e/x: 1 -> 2 by b2",
  ]);
  expect(told(move("d", "e", directory), write("e/new", undefined, "2"))).toEqual([
    "d -> e: directory -> directory by b1",
    "e/new: missing -> 2 by b2",
  ]);
});

test("a file that takes the place of another is told with what that was", () => {
  const over: RecordedChange = { kind: "rename", from: at("a"), to: at("b"), moved: file("1"), replaced: file("2") };
  expect(netChanges([{ by: "m", changes: [over] }])).toEqual([
    { at: at("b"), from: at("a"), before: file("1"), after: file("1"), replaced: file("2"), by: ["m"] },
  ]);
});

function setMode(path: string, before: number, after: number): RecordedChange {
  return { kind: "set-mode", at: at(path), entry: "file", size: 1, before, after };
}

test("what is known of the bytes is not lost when a mode is set", () => {
  const kept = { ...file("1"), kept: true } as const;
  const wrote: RecordedChange = { kind: "write", at: at("a"), before: kept, after: file("2"), temporary: "" };
  const [after] = netChanges([{ by: "b", changes: [wrote, setMode("a", 0o644, 0o755)] }]);
  expect([after?.before, after?.after]).toEqual([kept, file("2", 0o755)]);
  const later = { ...wrote, before: { ...kept, mode: 0o755 } };
  const [before] = netChanges([{ by: "b", changes: [setMode("a", 0o644, 0o755), later] }]);
  expect([before?.before, before?.after]).toEqual([kept, file("2")]);
});

test("of a ref that moved several times the first and the last are told", () => {
  const ref = (name: string, before: string | null, after: string | null): RecordedChange => {
    return { kind: "ref", repository: at(".git"), name, before, after };
  };
  const groups = [
    { by: "one", changes: [ref("refs/heads/a", null, "1"), ref("HEAD", "0", "1")] },
    { by: "two", changes: [ref("refs/heads/a", "1", "2"), ref("HEAD", "1", "0")] },
  ];
  expect(netRefs(groups)).toEqual([
    { repository: at(".git"), name: "refs/heads/a", first: null, last: "2", by: ["one", "two"] },
  ]);
});
