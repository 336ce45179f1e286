import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { makeChanges } from "../../test/rig/make-changes.ts";
import { longTimeout, scaled } from "../../test/rig/scale.ts";
import { unwrap } from "../../test/rig/unwrap.ts";
import type { FileChange } from "../block/block-files.ts";
import type { Blobs, RootedPath } from "../block/ports.ts";
import { createFileSystem } from "../platform/files/file-system.ts";
import { createMemoryBlobs } from "../platform/files/memory-blobs.ts";
import { compareChanges } from "./compare-changes.ts";
import { effectsOf } from "./effects.ts";
import { invertChanges } from "./invert-changes.ts";
import type { RecordedChange, StoredState } from "./recorded-change.ts";

const files = createFileSystem();

/** Every change is made to last on the disk, which takes its time. */
const numRuns = scaled({ slice: 25, long: 1_000 });

/** One directory for a test, with whatever it does to it. */
class Ground {
  readonly root: string = realpathSync(mkdtempSync(join(tmpdir(), "frond-changes-")));
  readonly blobs: Blobs = createMemoryBlobs();

  absolute(path: string): string {
    return join(this.root, path);
  }

  at(path: string): RootedPath {
    return { root: this.root, path };
  }

  /** Something to change, move and replace. */
  layOut(): void {
    mkdirSync(this.absolute("d"));
    writeFileSync(this.absolute("a"), "one", { mode: 0o600 });
    writeFileSync(this.absolute("b"), "two");
    writeFileSync(this.absolute("d/a"), "two");
    symlinkSync("../outside", this.absolute("d/b"));
  }

  /** What lies at a path, as far as it is to be put back: kind, mode, bytes, target. */
  entry(path: string): string {
    if (!this.isDirectory(dirname(path))) return "missing";
    const stats = lstatSync(this.absolute(path), { throwIfNoEntry: false });
    if (stats === undefined) return "missing";
    const mode = (stats.mode & 0o1777).toString(8);
    if (stats.isSymbolicLink()) return `link ${readlinkSync(this.absolute(path))}`;
    return stats.isDirectory() ? `directory ${mode}` : `file ${mode} ${readFileSync(this.absolute(path), "latin1")}`;
  }

  isDirectory(path: string): boolean {
    return path === "." || this.entry(path).startsWith("directory");
  }

  /** Everything below a directory, a directory before what is in it. */
  tree(below = ""): [path: string, entry: string][] {
    return readdirSync(this.absolute(below)).flatMap((name) => {
      const path = join(below, name);
      const entry: [string, string] = [path, this.entry(path)];
      return this.isDirectory(path) ? [entry, ...this.tree(path)] : [entry];
    });
  }

  /** The same as it is recorded, with its bytes in the blobs. */
  async store(path: string): Promise<StoredState> {
    const state = await files.look(this.at(path));
    if ("message" in state || state.kind === "other") throw new Error("It can't be looked at.");
    if (state.kind !== "file") return state;
    const put = unwrap(await this.blobs.putFile("run_1", this.at(path), files));
    return { kind: "file", ...put, kept: true };
  }

  make(changes: readonly FileChange[]): Promise<readonly RecordedChange[]> {
    return makeChanges(changes, files, this.blobs);
  }

  async takeBack(recorded: readonly RecordedChange[]): Promise<readonly RecordedChange[]> {
    const { changes, lost } = await invertChanges(recorded, this.blobs);
    expect(lost).toEqual([]);
    return this.make(changes);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}

const paths = ["a", "b", "d", "d/a", "d/b", "d/e", "d/e/a", "f/g/a", "f"] as const;
const path = fc.constantFrom(...paths);
const text = fc.constantFrom("", "one", "two", "three\n");
const fileMode = fc.constantFrom(0o400, 0o600, 0o644, 0o755);
const directoryMode = fc.constantFrom(0o700, 0o755, 0o1777);

/** What a block might be asked to do. Where it can't be done nothing is. */
type Wish =
  | { readonly kind: "write"; readonly path: string; readonly text: string; readonly mode: number }
  | { readonly kind: "remove"; readonly path: string }
  | { readonly kind: "directory"; readonly path: string; readonly mode: number }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  | { readonly kind: "mode"; readonly path: string; readonly mode: number }
  | { readonly kind: "move"; readonly path: string; readonly to: string };

const wish: fc.Arbitrary<Wish> = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), path, text, mode: fileMode }),
  fc.record({ kind: fc.constant("remove" as const), path }),
  fc.record({ kind: fc.constant("directory" as const), path, mode: directoryMode }),
  fc.record({ kind: fc.constant("link" as const), path, target: fc.constantFrom("a", "../outside", "gone") }),
  fc.record({ kind: fc.constant("mode" as const), path, mode: fc.constantFrom(0o700, 0o755, 0o1777) }),
  fc.record({ kind: fc.constant("move" as const), path, to: path }),
);
const wishes = fc.array(wish, { minLength: 1, maxLength: 10 });

function plan(ground: Ground, wanted: Wish): readonly FileChange[] {
  const at = ground.at(wanted.path);
  const entry = ground.entry(wanted.path);
  const isFree = entry === "missing";
  switch (wanted.kind) {
    case "write": {
      const bytes = Buffer.from(wanted.text);
      const isSame = entry === `file ${wanted.mode.toString(8)} ${wanted.text}`;
      if (isSame || !(isFree || entry.startsWith("file"))) return [];
      return withParents(ground, wanted.path, [{ kind: "write", at, bytes, mode: wanted.mode }]);
    }
    case "remove": {
      const below = ground.isDirectory(wanted.path) ? ground.tree(wanted.path).toReversed() : [];
      const all = isFree ? [] : [...below.map(([inner]) => inner), wanted.path];
      return all.map((one) => ({ kind: "remove", at: ground.at(one) }));
    }
    case "directory":
      return isFree ? withParents(ground, wanted.path, [{ kind: "make-directory", at, mode: wanted.mode }]) : [];
    case "link":
      return isFree ? withParents(ground, wanted.path, [{ kind: "make-link", at, target: wanted.target }]) : [];
    case "mode": {
      const isOther = !entry.split(" ").includes(wanted.mode.toString(8));
      const hasMode = entry.startsWith("file") || entry.startsWith("directory");
      return hasMode && isOther ? [{ kind: "set-mode", at, mode: wanted.mode }] : [];
    }
    case "move": {
      const target = ground.entry(wanted.to);
      const replaces = target.startsWith("file") && !ground.isDirectory(wanted.path);
      const isWithin = `${wanted.to}/`.startsWith(`${wanted.path}/`);
      if (isFree || isWithin || !(target === "missing" || replaces)) return [];
      return withParents(ground, wanted.to, [{ kind: "rename", from: at, to: ground.at(wanted.to) }]);
    }
  }
}

/** Nothing at all where something else than a directory is in the way. */
function withParents(ground: Ground, path: string, changes: readonly FileChange[]): readonly FileChange[] {
  const parents: FileChange[] = [];
  for (let parent = dirname(path); !ground.isDirectory(parent); parent = dirname(parent)) {
    if (ground.entry(parent) !== "missing") return [];
    parents.unshift({ kind: "make-directory", at: ground.at(parent) });
  }
  return [...parents, ...changes];
}

async function onGround(action: (ground: Ground) => Promise<void>): Promise<void> {
  const ground = new Ground();
  try {
    await action(ground);
  } finally {
    ground.remove();
  }
}

test(
  "changes are taken back to the tree of before, and again to the tree of after",
  async () => {
    await fc.assert(
      fc.asyncProperty(wishes, (list) =>
        onGround(async (ground) => {
          ground.layOut();
          const first = ground.tree();
          const made: { before: unknown; recorded: readonly RecordedChange[]; after: unknown }[] = [];
          for (const wanted of list) {
            const before = ground.tree();
            const changes = plan(ground, wanted);
            if (changes.length > 0) made.push({ before, recorded: await ground.make(changes), after: ground.tree() });
          }
          for (const { before, recorded, after } of made.toReversed()) {
            expect(await compareChanges(recorded, files)).toBe("made");
            const back = await ground.takeBack(recorded);
            expect(ground.tree()).toEqual(before);
            // The state before a change is the state after its inverse.
            expect(await compareChanges(recorded, files)).toBe("unmade");
            expect(await compareChanges(back, files)).toBe("made");
            if (recorded !== made.at(-1)?.recorded) continue;
            const again = await ground.takeBack(back);
            expect(ground.tree()).toEqual(after);
            expect(await compareChanges(recorded, files)).toBe("made");
            await ground.takeBack(again);
          }
          expect(ground.tree()).toEqual(first);
        }),
      ),
      { numRuns },
    );
  },
  longTimeout,
);

/** What somebody else may do to a path that was changed; the smallest difference that counts. */
function tamperings(ground: Ground, change: RecordedChange): readonly (() => void)[] {
  return effectsOf(change).flatMap(({ at, after }) => {
    const path = ground.absolute(at.path);
    const entry = ground.entry(at.path);
    const ways: (() => void)[] = [];
    if (entry.startsWith("file")) {
      const { mode } = lstatSync(path);
      ways.push(() => chmodSync(path, mode ^ 0o020));
      ways.push(() => unlinkSync(path));
      // As long as before, so that only the bytes tell.
      const other = readFileSync(path, "latin1").replace(/^./, "X");
      if (other !== "") {
        ways.push(() => {
          chmodSync(path, 0o600);
          writeFileSync(path, other);
          chmodSync(path, mode);
        });
      }
    }
    if (entry.startsWith("link")) {
      ways.push(() => {
        unlinkSync(path);
        symlinkSync("elsewhere", path);
      });
    }
    if (entry === "missing" && ground.isDirectory(dirname(at.path))) {
      ways.push(() => writeFileSync(path, "mine"));
      ways.push(() => mkdirSync(path));
    }
    // A directory that was made may be given another mode, for it is gone afterwards; one that was moved may not.
    const wasMoved = after.kind === "directory" && after.mode !== undefined;
    if (wasMoved) ways.push(() => chmodSync(path, lstatSync(path).mode ^ 0o020));
    return ways;
  });
}

test(
  "what somebody else has changed in between is not taken for made",
  async () => {
    await fc.assert(
      fc.asyncProperty(wishes, fc.nat(), (list, choice) =>
        onGround(async (ground) => {
          ground.layOut();
          let last: readonly RecordedChange[] = [];
          for (const wanted of list) {
            const changes = plan(ground, wanted);
            if (changes.length > 0) last = await ground.make(changes);
          }
          const ways = last.flatMap((change) => tamperings(ground, change));
          const way = ways[choice % Math.max(ways.length, 1)];
          fc.pre(way !== undefined);
          way?.();
          expect(await compareChanges(last, files)).not.toBe("made");
        }),
      ),
      { numRuns },
    );
  },
  longTimeout,
);

test("a directory is not removed that somebody has put something into", () =>
  onGround(async (ground) => {
    const recorded = await ground.make([{ kind: "make-directory", at: ground.at("d") }]);
    writeFileSync(ground.absolute("d/mine"), "mine");
    await expect(ground.takeBack(recorded)).rejects.toThrow("the directory is not empty");
    expect(ground.entry("d/mine")).toContain("mine");
  }));

test("a file whose bytes were not kept is named, and the rest is taken back", () =>
  onGround(async (ground) => {
    writeFileSync(ground.absolute("a"), "old");
    writeFileSync(ground.absolute("large"), "");
    truncateSync(ground.absolute("large"), 50_000_001);
    const recorded = await ground.make([
      { kind: "write", at: ground.at("a"), bytes: Buffer.from("new") },
      { kind: "remove", at: ground.at("large") },
    ]);
    const { changes, lost } = await invertChanges(recorded, ground.blobs);
    expect(lost).toEqual([ground.at("large")]);
    await ground.make(changes);
    expect(ground.tree().map(([name]) => name)).toEqual(["a"]);
    expect(readFileSync(ground.absolute("a"), "utf8")).toBe("old");
  }));

/** What a scan would find, in no order: all that is at another path, or otherwise, than before. */
async function observe(ground: Ground, change: () => void): Promise<readonly RecordedChange[]> {
  const before = new Map<string, StoredState>();
  for (const [path] of ground.tree()) before.set(path, await ground.store(path));
  change();
  const paths = new Set([...before.keys(), ...ground.tree().map(([path]) => path)]);
  const found: RecordedChange[] = [];
  for (const path of paths) {
    const [then, now] = [before.get(path) ?? ({ kind: "missing" } as const), await ground.store(path)];
    if (JSON.stringify(then) !== JSON.stringify(now)) {
      found.push({ kind: "observed", at: ground.at(path), before: then, after: now });
    }
  }
  return found;
}

test("what a scan has found is taken back, whatever took the place of what", () =>
  onGround(async (ground) => {
    ground.layOut();
    mkdirSync(ground.absolute("d/e"));
    writeFileSync(ground.absolute("d/e/a"), "deep");
    const before = ground.tree();
    const observed = await observe(ground, () => {
      rmSync(ground.absolute("d"), { recursive: true });
      writeFileSync(ground.absolute("d"), "a file now");
      unlinkSync(ground.absolute("a"));
      mkdirSync(ground.absolute("a/b"), { recursive: true });
      writeFileSync(ground.absolute("a/b/c"), "new");
      writeFileSync(ground.absolute("b"), "changed");
      chmodSync(ground.absolute("b"), 0o755);
    });
    expect(await compareChanges(observed, files)).toBe("made");
    await ground.takeBack(observed);
    expect(ground.tree()).toEqual(before);
    const modes = await observe(ground, () => chmodSync(ground.absolute("d"), 0o700));
    await ground.takeBack(modes);
    expect(ground.tree()).toEqual(before);
  }));

test("refs that were moved are given back the other way round, for git to move", async () => {
  const ref = { kind: "ref", repository: { root: "/w", path: ".git" }, name: "refs/heads/main" } as const;
  const inverse = await invertChanges([{ ...ref, before: null, after: "a1" }], createMemoryBlobs());
  expect(inverse).toEqual({ changes: [], lost: [], refs: [{ ...ref, before: "a1", after: null }] });
});
