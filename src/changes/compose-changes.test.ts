import { dirname } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ModelTree } from "../../test/rig/model-tree.ts";
import type { FileChange } from "../block/block-files.ts";
import { absolutePath } from "../block/rooted-path.ts";
import { type ChangeGroup, composeChanges, type Stretch } from "./compose-changes.ts";
import { effectsOf } from "./effects.ts";
import { orderRestores, type RestoredState } from "./order-restores.ts";
import type { EntryState, RecordedChange } from "./recorded-change.ts";

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

/** What is possible of these changes is made, and recorded. */
function make(model: ModelTree, changes: readonly FileChange[]): readonly RecordedChange[] {
  return changes.flatMap((one) => {
    try {
      const recorded = model.record(one);
      model.make(one);
      return [recorded];
    } catch {
      return [];
    }
  });
}

/** Texts by the hashes under which they are kept. */
function textsOf(models: readonly ModelTree[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const model of models) {
    for (const [path, entry] of model.entries) {
      const state = model.state(path);
      if (entry.kind === "file" && state.kind === "file") texts.set(state.sha256 ?? "", entry.text);
    }
  }
  return texts;
}

/** As an undo plan does it: the last stretch first, each path from the state in which it was left. */
function takeBack(model: ModelTree, stretches: readonly Stretch[], texts: ReadonlyMap<string, string>): void {
  for (const { files, moves } of stretches.toReversed()) {
    for (const { from, to } of moves.toReversed()) model.make({ kind: "rename", from: to, to: from });
    const restores = files.flatMap((file) => {
      const present = model.state(file.at.path);
      const restore = restored(file.first, present, texts);
      return restore === undefined ? [] : [{ at: file.at, present, restore }];
    });
    const names = new Map(files.map((file) => [absolutePath(file.at), model.names(file.at.path)]));
    const above = new Map(paths.map((path) => [`/w/${path}`, model.state(path)]));
    const { changes, refused } = orderRestores(restores, { names, above });
    expect(refused).toEqual([]);
    for (const one of changes) model.make(one);
  }
}

/** Nothing for what is restored already. */
function restored(
  first: EntryState,
  present: EntryState,
  texts: ReadonlyMap<string, string>,
): RestoredState | undefined {
  if (first.kind !== "file") return JSON.stringify(first) === JSON.stringify(present) ? undefined : first;
  const isSame = present.kind === "file" && (first.sha256 ?? present.sha256) === present.sha256;
  if (isSame) return present.mode === first.mode ? undefined : { kind: "file", mode: first.mode };
  const text = texts.get(first.sha256 ?? "");
  if (text === undefined) throw new Error("Its bytes were not kept.");
  return { kind: "file", mode: first.mode, bytes: Buffer.from(text) };
}

const groupsOfChanges = fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 6 });

test("whatever was changed, the first states of all paths give the tree before", () => {
  fc.assert(
    fc.property(groupsOfChanges, fc.boolean(), (lists, keepsBytes) => {
      const model = layOut();
      const trees = [model.copy()];
      const groups = lists.map((list, index): ChangeGroup => {
        const changes: RecordedChange[] = [];
        for (const one of list) {
          changes.push(...make(model, [one]).map((recorded) => (keepsBytes ? recorded : withoutMoved(recorded))));
          trees.push(model.copy());
        }
        return { by: `block${index}`, changes };
      });
      const stretches = composeChanges(groups);
      takeBack(model, stretches, textsOf(trees));
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

/** Some are announced and others only found at the end. */
const mixed = fc.array(fc.record({ announced: fc.boolean(), change }), { maxLength: 12 });

test("changes that are found by looking may overlap with those that were announced", () => {
  fc.assert(
    fc.property(mixed, mixed, (before, during) => {
      const model = layOut();
      const trees = [model.copy()];
      const groups: ChangeGroup[] = [];
      const silent = new Set<string>();
      const play = (list: readonly { announced: boolean; change: FileChange }[], isLooking: boolean): void => {
        for (const { announced, change: one } of list) {
          if (one.kind === "rename" && model.state(one.from.path).kind === "directory") continue;
          const changes = announced || isLooking ? make(model, [one]) : [];
          trees.push(model.copy());
          if (announced) groups.push({ by: `file${groups.length}`, changes, captured: trees.length });
          else for (const effect of changes.flatMap(effectsOf)) silent.add(effect.at.path);
        }
      };
      play(before, false);
      const [captured, look] = [trees.length, model.copy()];
      play(during, true);
      const changes = paths.flatMap((path): RecordedChange[] => {
        const [then, now] = [look.state(path), model.state(path)];
        const isSame = JSON.stringify(then) === JSON.stringify(now);
        return isSame ? [] : [{ kind: "observed", at: model.at(path), before: then as never, after: now }];
      });
      // Two looks can't tell of what came and went between them, and what somebody else found there meanwhile is all that is known.
      const found = changes.flatMap(effectsOf).map((effect) => effect.at.path);
      fc.pre([...silent].every((path) => found.includes(path)));
      groups.push({ by: "command", changes, captured });
      takeBack(model, composeChanges(groups), textsOf(trees));
      expect(model.list()).toEqual(layOut().list());
    }),
    { numRuns: 2_000 },
  );
});

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
    { by: "mode", changes: make(model, [{ kind: "set-mode", at: model.at("a"), mode: 0o644 }]) },
    { by: "one", changes: make(model, [write("x"), write("y")]) },
    { by: "two", changes: make(model, [{ kind: "remove", at: model.at("a") }]) },
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
  const changes = make(model, [
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
