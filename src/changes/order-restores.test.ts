import { dirname } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type ModelEntry, ModelTree } from "../../test/rig/model-tree.ts";
import { orderRestores, type Restore, type RestoredState, type Surroundings } from "./order-restores.ts";
import type { EntryState } from "./recorded-change.ts";

const paths = ["a", "b", "d", "d/a", "d/b", "d/e", "d/e/a", "d/e/f", "d/e/f/a", "g", "g/a"] as const;

const entry: fc.Arbitrary<ModelEntry> = fc.oneof(
  fc.record({
    kind: fc.constant("file" as const),
    mode: fc.constantFrom(0o600, 0o644),
    text: fc.constantFrom("one", "two"),
  }),
  fc.record({ kind: fc.constant("directory" as const), mode: fc.constantFrom(0o755, 0o700, 0o555, 0o000) }),
  fc.record({ kind: fc.constant("link" as const), target: fc.constantFrom("a", "../b") }),
);

/** Only what lies in directories. */
const tree = fc.array(fc.tuple(fc.constantFrom(...paths), entry), { maxLength: 12 }).map((list) => {
  const model = new ModelTree();
  for (const path of paths) {
    const found = list.findLast(([one]) => one === path)?.[1];
    const parent = dirname(path);
    if (found === undefined || (parent !== "." && model.state(parent).kind !== "directory")) continue;
    model.entries.set(path, found);
  }
  return model;
});

function restoredState(model: ModelTree, path: string, present: EntryState): RestoredState {
  const wanted = model.entries.get(path);
  if (wanted === undefined) return { kind: "missing" };
  if (wanted.kind !== "file") return wanted;
  const { mode, text } = wanted;
  const isSame = present.kind === "file" && present.sha256 === (model.state(path) as { sha256: string }).sha256;
  return { kind: "file", mode, ...(isSame ? {} : { bytes: Buffer.from(text) }) };
}

function around(present: ModelTree): Surroundings {
  return {
    names: new Map(paths.map((path) => [`/w/${path}`, present.names(path)])),
    above: new Map(paths.map((path) => [`/w/${path}`, present.state(path)])),
  };
}

function restoresOf(wanted: ModelTree, present: ModelTree, of: readonly string[] = paths): Restore[] {
  return of.flatMap((path) => {
    const [now, then] = [present.state(path), wanted.state(path)];
    if (JSON.stringify(now) === JSON.stringify(then)) return [];
    return [{ at: present.at(path), present: now, restore: restoredState(wanted, path, now) }];
  });
}

test("any tree is made of any other, each change being possible", () => {
  fc.assert(
    fc.property(tree, tree, (wanted, present) => {
      const { changes, refused } = orderRestores(restoresOf(wanted, present), around(present));
      expect(refused).toEqual([]);
      for (const change of changes) present.make(change);
      expect(present.list()).toEqual(wanted.list());
    }),
    { numRuns: 2_000 },
  );
});

test("what nobody asks to restore stays, is named where it is in the way, and everything else is restored", () => {
  fc.assert(
    fc.property(tree, tree, fc.subarray([...paths]), (wanted, present, strays) => {
      const before = present.copy();
      const restores = restoresOf(
        wanted,
        present,
        paths.filter((path) => !strays.includes(path)),
      );
      const { changes, refused } = orderRestores(restores, around(present));
      for (const change of changes) present.make(change);
      const isRefused = (path: string): boolean => refused.some(({ at }) => at.path === path);
      for (const { at } of restores) {
        const expected = isRefused(at.path) ? before : wanted;
        expect(present.state(at.path)).toEqual(expected.state(at.path));
      }
      for (const stray of strays) {
        if (before.state(stray).kind !== "missing") expect(present.state(stray)).toEqual(before.state(stray));
      }
    }),
    { numRuns: 2_000 },
  );
});

test("a directory that holds somebody's file stays, and all directories around it", () => {
  const present = new ModelTree([
    ["d", { kind: "directory", mode: 0o755 }],
    ["d/a", { kind: "file", mode: 0o644, text: "made" }],
    ["d/e", { kind: "directory", mode: 0o755 }],
    ["d/e/a", { kind: "file", mode: 0o644, text: "mine" }],
  ]);
  const restores = restoresOf(new ModelTree(), present, ["d", "d/a", "d/e"]);
  const { changes, refused } = orderRestores(restores, around(present));
  expect(changes).toEqual([{ kind: "remove", at: present.at("d/a") }]);
  expect(refused).toEqual([
    { at: present.at("d"), reason: "not empty: it holds 'e', which undo does not remove" },
    { at: present.at("d/e"), reason: "not empty: it holds 'a', which undo does not remove" },
  ]);
});

test("the directories above a file come back with it, unless something else has taken their place", () => {
  const wanted = new ModelTree([
    ["d", { kind: "directory", mode: 0o755 }],
    ["d/e", { kind: "directory", mode: 0o755 }],
    ["d/e/a", { kind: "file", mode: 0o644, text: "one" }],
  ]);
  const gone = new ModelTree();
  const { changes } = orderRestores(restoresOf(wanted, gone, ["d/e/a"]), around(gone));
  expect(changes.map(({ kind }) => kind)).toEqual(["make-directory", "make-directory", "write"]);

  const taken = new ModelTree([["d", { kind: "link", target: "a" }]]);
  expect(orderRestores(restoresOf(wanted, taken, ["d/e/a"]), around(taken))).toEqual({
    changes: [],
    refused: [{ at: taken.at("d/e/a"), reason: "'d' is not a directory" }],
  });
});
