import { expect } from "vitest";
import type { FileChange } from "../../src/block/block-files.ts";
import { absolutePath } from "../../src/block/rooted-path.ts";
import type { Stretch } from "../../src/changes/compose-changes.ts";
import { orderRestores, type RestoredState } from "../../src/changes/order-restores.ts";
import type { EntryState, RecordedChange } from "../../src/changes/recorded-change.ts";
import type { ModelTree } from "./model-tree.ts";

/** What is possible of these changes is made, and recorded. */
export function makePossible(model: ModelTree, changes: readonly FileChange[]): readonly RecordedChange[] {
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
export function textsOf(models: readonly ModelTree[]): ReadonlyMap<string, string> {
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
export function takeModelBack(
  model: ModelTree,
  stretches: readonly Stretch[],
  texts: ReadonlyMap<string, string>,
  paths: readonly string[],
): void {
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
