import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ModelTree } from "../../test/rig/model-tree.ts";
import { makePossible, takeModelBack, textsOf } from "../../test/rig/take-model-back.ts";
import type { FileChange } from "../block/block-files.ts";
import { composeChanges } from "../changes/compose-changes.ts";
import type { EntryState, RecordedChange, StoredState } from "../changes/recorded-change.ts";
import type { Deed, Deeds } from "../engine/list-deeds.ts";
import { attributeChanges } from "./attribute-changes.ts";
import { recallBeside } from "./recall-beside.ts";
import type { Runtime } from "./runtime.ts";
import { selectDeeds } from "./select-deeds.ts";

const paths = ["a", "b", "d", "d/a", "d/b", "d/e", "d/e/a", "g", "g/a", "hidden", "hidden/a", "hidden/d"] as const;
const isHidden = (path: string): boolean => path === "hidden" || path.startsWith("hidden/");

function layOut(): ModelTree {
  return new ModelTree([
    ["a", { kind: "file", mode: 0o600, text: "one" }],
    ["b", { kind: "file", mode: 0o644, text: "two" }],
    ["d", { kind: "directory", mode: 0o755 }],
    ["d/a", { kind: "file", mode: 0o644, text: "two" }],
    ["d/b", { kind: "link", target: "../b" }],
    ["d/e", { kind: "directory", mode: 0o700 }],
    ["d/e/a", { kind: "file", mode: 0o644, text: "three" }],
    ["hidden", { kind: "directory", mode: 0o755 }],
    ["hidden/d", { kind: "directory", mode: 0o755 }],
    ["hidden/d/f", { kind: "file", mode: 0o644, text: "four" }],
  ]);
}

const at = fc.constantFrom(...paths).map((path) => ({ root: "/w", path }));
const mode = fc.constantFrom(0o600, 0o644);
const bytes = fc.constantFrom("one", "two", "five").map((text) => Buffer.from(text));

const change: fc.Arbitrary<FileChange> = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), at, bytes, mode }),
  fc.record({ kind: fc.constant("remove" as const), at }),
  fc.record({ kind: fc.constant("make-directory" as const), at, mode: fc.constantFrom(0o700, 0o755) }),
  fc.record({ kind: fc.constant("make-link" as const), at, target: fc.constantFrom("a", "gone") }),
  fc.record({ kind: fc.constant("set-mode" as const), at, mode: fc.constantFrom(0o700, 0o711) }),
  fc.record({ kind: fc.constant("rename" as const), from: at, to: at }),
);

function deed(path: string, began: number, more: Partial<Deed>): Deed {
  const ending = { status: "completed", outcome: "success", message: null } as const;
  const nothing = { outputs: {}, announced: [], observed: undefined, looked: undefined, snapshot: undefined };
  const definition = { type: { undo: "automatic" } } as unknown as Deed["definition"];
  const named = { address: path, path, attempt: 1, definition, workspace: "/w", inputs: {}, foreseen: undefined };
  return { ...nothing, ...named, ending, began, ended: 1000, ...more };
}

/** What two looks at a tree tell. */
function compare(then: ModelTree, now: ModelTree): readonly RecordedChange[] {
  const all = [...new Set([...then.entries.keys(), ...now.entries.keys()])].filter((path) => !isHidden(path)).sort();
  return all.flatMap((path): RecordedChange[] => {
    const [before, after] = [then.state(path) as StoredState, now.state(path)];
    return JSON.stringify(before) === JSON.stringify(after)
      ? []
      : [{ kind: "observed", at: then.at(path), before, after }];
  });
}

/** What is known of a run, in a model of its workspace. */
class Play {
  readonly model: ModelTree = layOut();
  readonly trees: ModelTree[] = [this.model.copy()];
  readonly #deeds: Deed[] = [];
  readonly #looks = new Map<string, { readonly sequence: number; readonly tree: ModelTree }>();
  #sequence = 0;

  get isLooking(): boolean {
    return this.#looks.size > this.#deeds.filter(({ observed }) => observed !== undefined).length;
  }

  announce(one: FileChange): void {
    const changes = makePossible(this.model, [one]);
    this.trees.push(this.model.copy());
    const sequence = ++this.#sequence;
    if (changes.length > 0) this.#deeds.push(deed(`file${sequence}`, sequence, { announced: [{ sequence, changes }] }));
  }

  change(one: FileChange): void {
    makePossible(this.model, [one]);
    this.trees.push(this.model.copy());
  }

  look(name: string): void {
    const known = this.#looks.get(name);
    const sequence = ++this.#sequence;
    if (known === undefined) {
      this.#looks.set(name, { sequence, tree: this.model.copy() });
      return;
    }
    const looked = { sequence: known.sequence, snapshot: name };
    const observed = { sequence, changes: compare(known.tree, this.model), notCaptured: [] };
    this.#deeds.push(deed(name, known.sequence, { looked, observed }));
  }

  async takeBack(): Promise<void> {
    const recall = async (snapshot: string, wanted: readonly string[]): Promise<readonly (EntryState | undefined)[]> =>
      wanted.map((path) => (isHidden(path) ? undefined : this.#looks.get(snapshot)?.tree.state(path)));
    const secrets = { redactor: { isIn: () => false } };
    const runtime = { platform: { observer: { recall }, secrets } } as unknown as Runtime;
    const recalled = await recallBeside(runtime, "run", this.#deeds);
    const deeds = { deeds: this.#deeds, all: this.#deeds, takenBack: [], commitPoints: [] } as unknown as Deeds;
    const { undoables } = selectDeeds(deeds, {}, recalled);
    const groups = undoables.flatMap((one) =>
      one.kind === "changes" ? [{ by: one.deed.path, changes: one.changes }] : [],
    );
    const known = [...new Set([...paths, ...this.trees.flatMap(({ entries }) => [...entries.keys()])])];
    takeModelBack(this.model, composeChanges(groups), textsOf(this.trees), known);
  }
}

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ announced: fc.boolean(), change }) },
    { weight: 1, arbitrary: fc.constantFrom("one", "other") },
  ),
  { maxLength: 18 },
);

function touchedBy(one: FileChange): readonly string[] {
  if (one.kind === "ref") return [];
  return (one.kind === "rename" ? [one.from, one.to] : [one.at]).map(({ path }) => path);
}

/** What a command changes in a directory that a block moves at the same time to where nobody looks, nobody can know. */
function isPlayed(one: FileChange, areCommandsIdle: boolean): boolean {
  return areCommandsIdle || new Set(touchedBy(one).map(isHidden)).size < 2;
}

test("whatever commands and blocks changed at the same time, with what is moved and what nobody looks at, is as before", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (list, areCommandsIdle) => {
      const play = new Play();
      const looks = new Map<string, number>();
      for (const step of list) {
        if (typeof step === "string") {
          const count = (looks.get(step) ?? 0) + 1;
          looks.set(step, count);
          if (count <= 2) play.look(step);
          continue;
        }
        if (!isPlayed(step.change, areCommandsIdle)) continue;
        const isByCommand = !step.announced && !areCommandsIdle && play.isLooking;
        // Where nobody looks, no command does anything.
        if (isByCommand && !touchedBy(step.change).some(isHidden)) play.change(step.change);
        else play.announce(step.change);
      }
      for (const [name, count] of looks) if (count === 1) play.look(name);
      await play.takeBack();
      expect(play.model.list()).toEqual(layOut().list());
    }),
    { numRuns: 1_000 },
  );
});

test("what a command made of a path that another block had changed, and which was taken back with that, is nobody's any more", () => {
  const place = { root: "/w", path: "a" };
  const file = (size: number) => ({ kind: "file", mode: 0o644, sha256: String(size).repeat(64), size }) as const;
  const write = (before: StoredState): RecordedChange => {
    const { kind: _, ...after } = file(1);
    return { kind: "write", at: place, before, after, temporary: "" };
  };
  const seen: RecordedChange = { kind: "observed", at: { root: "/w", path: "b" }, before: file(1), after: file(2) };
  const command = deed("command", 1, {
    looked: { sequence: 2, snapshot: "" },
    observed: { sequence: 9, changes: [seen], notCaptured: [] },
  });
  const taken = deed("taken", 3, {
    announced: [
      { sequence: 4, changes: [write({ kind: "missing" })] },
      { sequence: 5, changes: [write(file(2))] },
    ],
  });
  const recalled = new Map([[1, [{ at: place, state: { kind: "missing" } as const }]]]);
  const all = [command, taken];
  expect(attributeChanges({ all, takenBack: [] }, recalled).map(({ change }) => change)).toMatchObject([
    { at: place, before: file(1), after: file(2) },
    { at: seen.at },
  ]);
  const takenBack = [{ sequence: 7, began: [3], after: 0 }];
  expect(attributeChanges({ all, takenBack }, recalled).map(({ change }) => change)).toEqual([seen]);
});

test("what one look could not read, another one has read", () => {
  const place = { root: "/w", path: "a" };
  const file = { kind: "file", mode: 0o600, sha256: "1".repeat(64), size: 16, kept: true } as const;
  const unread = { kind: "file", mode: 0o600, size: 16 } as const;
  const seen = (before: StoredState, after: EntryState): RecordedChange => ({
    kind: "observed",
    at: place,
    before,
    after,
  });
  const short = deed("short", 1, {
    looked: { sequence: 2, snapshot: "" },
    observed: { sequence: 7, changes: [seen(file, unread)], notCaptured: [] },
  });
  const long = deed("long", 3, {
    looked: { sequence: 4, snapshot: "" },
    observed: { sequence: 9, changes: [seen(file, { kind: "missing" })], notCaptured: [] },
  });
  const found = attributeChanges({ all: [short, long], takenBack: [] });
  expect(found.map(({ change }) => change)).toEqual([seen(file, { kind: "missing" })]);
});
