import { dirname } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ModelTree } from "../../test/rig/model-tree.ts";
import { makePossible, takeModelBack, textsOf } from "../../test/rig/take-model-back.ts";
import type { FileChange } from "../block/block-files.ts";
import { type ChangeGroup, composeChanges } from "./compose-changes.ts";
import type { RecordedChange } from "./recorded-change.ts";

const paths = ["a", "b", "d", "d/a", "d/b", "d/e", "d/e/a", "g", "g/a"] as const;

/** Something to change, move and replace. */
function layOut(): ModelTree {
  return new ModelTree([
    ["a", { kind: "file", mode: 0o600, text: "one" }],
    ["b", { kind: "file", mode: 0o644, text: "two" }],
    ["d", { kind: "directory", mode: 0o755 }],
    ["d/a", { kind: "file", mode: 0o644, text: "two" }],
    ["d/b", { kind: "link", target: "../b" }],
    ["d/e", { kind: "directory", mode: 0o700 }],
    ["d/e/a", { kind: "file", mode: 0o644, text: "three" }],
  ]);
}

const at = fc.constantFrom(...paths).map((path) => ({ root: "/w", path }));
const mode = fc.constantFrom(0o600, 0o644, 0o755);
const bytes = fc.constantFrom("", "one", "two", "four").map((text) => Buffer.from(text));

const change: fc.Arbitrary<FileChange> = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), at, bytes, mode }),
  fc.record({ kind: fc.constant("remove" as const), at }),
  fc.record({ kind: fc.constant("make-directory" as const), at, mode: fc.constantFrom(0o700, 0o755) }),
  fc.record({ kind: fc.constant("make-link" as const), at, target: fc.constantFrom("a", "gone") }),
  fc.record({ kind: fc.constant("set-mode" as const), at, mode: fc.constantFrom(0o700, 0o711) }),
  fc.record({ kind: fc.constant("rename" as const), from: at, to: at }),
);

const groupsOfChanges = fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 6 });

test("whatever was changed, the first states of all paths give the tree before", () => {
  fc.assert(
    fc.property(groupsOfChanges, fc.boolean(), (lists, keepsBytes) => {
      const model = layOut();
      const trees = [model.copy()];
      const groups = lists.map((list, index): ChangeGroup => {
        const changes: RecordedChange[] = [];
        for (const one of list) {
          changes.push(
            ...makePossible(model, [one]).map((recorded) => (keepsBytes ? recorded : withoutMoved(recorded))),
          );
          trees.push(model.copy());
        }
        return { by: `block${index}`, changes };
      });
      const stretches = composeChanges(groups);
      takeModelBack(model, stretches, textsOf(trees), paths);
      expect(model.list()).toEqual(layOut().list());
    }),
    { numRuns: 2_000 },
  );
});

/** As of a moved file that is too large. */
function withoutMoved(recorded: RecordedChange): RecordedChange {
  if (recorded.kind !== "rename" || recorded.moved.kind !== "file") return recorded;
  const { kept: _, ...moved } = recorded.moved;
  return { ...recorded, moved };
}

test("a path knows all that it was, and who changed it", () => {
  const model = layOut();
  const write = (text: string, fileMode = 0o644): FileChange => ({
    kind: "write",
    at: model.at("a"),
    bytes: Buffer.from(text),
    mode: fileMode,
  });
  const first = model.state("a");
  const groups = [
    { by: "mode", changes: makePossible(model, [{ kind: "set-mode", at: model.at("a"), mode: 0o644 }]) },
    { by: "one", changes: makePossible(model, [write("x"), write("y")]) },
    { by: "two", changes: makePossible(model, [{ kind: "remove", at: model.at("a") }]) },
  ];
  const [stretch, ...others] = composeChanges(groups);
  expect(others).toEqual([]);
  const [file, ...rest] = stretch?.files ?? [];
  expect(rest).toEqual([]);
  expect(file).toMatchObject({ at: model.at("a"), first, last: { kind: "missing" }, by: ["mode", "one", "two"] });
  expect(file?.stages.map((stage) => ("mode" in stage ? [stage.mode, "size" in stage && stage.size] : []))).toEqual([
    [0o600, 3],
    [0o644, 3],
    [0o644, 1],
    [0o644, 1],
    [],
  ]);
});

test("the move of a directory is a stretch of its own", () => {
  const model = layOut();
  const changes = makePossible(model, [
    { kind: "make-directory", at: model.at("g") },
    { kind: "rename", from: model.at("d"), to: model.at("g/a") },
    { kind: "remove", at: model.at("b") },
  ]);
  const stretches = composeChanges([{ by: "it", changes }]);
  expect(stretches.map(({ files, moves }) => [files.length, moves.length])).toEqual([
    [1, 0],
    [0, 1],
    [1, 0],
  ]);
  expect(dirname(stretches[1]?.moves[0]?.to.path ?? "")).toBe("g");
});

test("a ref goes back to where it was before the first who moved it, in the first stretch", () => {
  const repository = { root: "/w", path: ".git" };
  const ref = (name: string, before: string | null, after: string | null): RecordedChange => ({
    kind: "ref",
    repository,
    name,
    before,
    after,
  });
  const groups = [
    { by: "one", changes: [ref("refs/heads/main", "1", "2"), ref("refs/heads/new", null, "2")] },
    { by: "two", changes: [ref("refs/heads/main", "2", "3")] },
  ];
  expect(composeChanges(groups)).toEqual([
    {
      files: [],
      moves: [],
      refs: [
        { repository, name: "refs/heads/main", first: "1", last: "3", by: ["one", "two"] },
        { repository, name: "refs/heads/new", first: null, last: "2", by: ["one"] },
      ],
    },
  ]);
});

test("a directory that was there already is taken back with what made it, not with who wanted to make it after a move", () => {
  const model = layOut();
  const made: RecordedChange = {
    kind: "observed",
    at: model.at("g"),
    before: { kind: "missing" },
    after: { kind: "directory", mode: 0o755 },
  };
  const [moved] = makePossible(model, [{ kind: "rename", from: model.at("d"), to: model.at("n") }]);
  const wanted: RecordedChange = { kind: "make-directory", at: model.at("g"), mode: 0o755 };
  const stretches = composeChanges([
    { by: "command", changes: [made] },
    { by: "move", changes: [moved as RecordedChange] },
    { by: "file", changes: [wanted] },
  ]);
  expect(stretches.map(({ files, moves }) => [files.map((file) => file.at.path), moves.length])).toEqual([
    [["g"], 0],
    [[], 1],
  ]);
});
