import { createHash } from "node:crypto";
import type { EntryState, StoredState } from "../../../changes/recorded-change.ts";
import { permissionBits, showMode } from "../file-modes.ts";
import type { NotCaptured } from "./begin-observation.ts";
import { type ComparedTrees, compareTrees, type TouchedEntry } from "./compare-trees.ts";
import { digestFile } from "./digest-file.ts";
import { kindOf } from "./entry-table.ts";
import { readObjects } from "./git-objects.ts";
import { isPresent, lookAt, readTarget } from "./look-at-file.ts";
import { findLostBits } from "./lost-bits.ts";
import type { Manifest } from "./manifest.ts";
import { type MovedRef, movedRefs } from "./moved-refs.ts";
import { digestExcludes } from "./repository-facts.ts";
import type { Stamps } from "./stamp-rows.ts";
import { gitName, type Keeper, type Surroundings } from "./surroundings.ts";
import { type EntryAt, pathIn } from "./tree.ts";

export interface ChangedEntry {
  readonly path: string;
  readonly before: StoredState;
  readonly after: EntryState;
}

export interface Ended {
  readonly changes: readonly ChangedEntry[];
  readonly refs: readonly MovedRef[];
  readonly notCaptured: readonly { readonly path: string; readonly why: string }[];
}

/** What is different from what a manifest tells; the bytes that were there before are kept then. */
export async function endObservation(around: Surroundings, manifest: Manifest, keeper: Keeper): Promise<Ended> {
  const moving = around.git === undefined ? [] : movedRefs(around.git, manifest.repositories);
  const compared = await compareTrees(around, manifest, keeper);
  const ending = new Ending(around, manifest, keeper);
  for (const entry of compared.touched) ending.examine(entry);
  await ending.fetchFromGit();
  const changes = await ending.keepAfter();
  const restored = new Set(changes.map(({ path }) => path));
  const notCaptured = [
    ...ending.notCaptured,
    ...describeUnknown(compared),
    ...describeRules(compared, manifest),
    ...describeWorkspace(around, manifest),
    ...findLostBits(compared.touched, restored, manifest),
  ];
  return { changes: changes.sort(byPath), refs: await moving, notCaptured: notCaptured.sort(byPath) };
}

/** After-images of more bytes are not kept: they only show differences. */
const mostShown = 1_000_000;

type Draft = { -readonly [Key in keyof ChangedEntry]: ChangedEntry[Key] };
type FileEntry = Extract<EntryState, { kind: "file" }>;

/** A file whose bytes from before are in git. */
interface InGit {
  readonly path: string;
  readonly id: string;
  readonly mode: number;
  readonly size: number;
  readonly after: EntryState;
}

/** Tells what entries were, and what they are. */
export class Ending {
  readonly #around: Surroundings;
  readonly #keeper: Keeper;
  /** Innermost first. */
  readonly #repositories: Manifest["repositories"];
  readonly #changes: Draft[] = [];
  readonly #inGit: InGit[] = [];
  readonly notCaptured: { path: string; why: string }[] = [];

  constructor(around: Surroundings, manifest: Manifest, keeper: Keeper) {
    this.#around = around;
    this.#keeper = keeper;
    this.#repositories = manifest.repositories.toSorted((one, other) => other.directory.length - one.directory.length);
  }

  examine({ path, before, after }: TouchedEntry): void {
    const storage = before?.table.storage(before.row);
    const isInGit = storage === "git-sha1" || storage === "git-sha256";
    if (before === undefined || !isInGit) return this.#examineKnown(path, before, after);
    const { table, row } = before;
    const id = table.digest(row);
    const [mode, size] = [permissionsOf(table.modes[row] as number), table.sizes[row] as number];
    const found = this.#stateOf(path, after, id.length);
    if (found === undefined) return;
    const { state, gitId } = found;
    if (state.kind === "file" && state.mode === mode && gitId === id) return;
    this.#inGit.push({ path, id, mode, size, after: state });
  }

  #examineKnown(path: string, before: EntryAt | undefined, after: Stamps | undefined): void {
    const then = storedState(before);
    const now = this.#stateOf(path, after)?.state;
    if (then === undefined || now === undefined) {
      const why = before?.table.reasons.get(before.row) ?? notAFile;
      this.notCaptured.push({ path, why: `${verbFor(before, after)}, and ${why}` });
      return;
    }
    if (!isSame(then, now)) this.#changes.push({ path, before: then, after: now });
  }

  /** Fetches from git what the command has changed of it: from now on it is undo's own. */
  async fetchFromGit(): Promise<void> {
    for (const { directory, gitDirectory } of this.#repositories) {
      const here = this.#inGit.filter(({ path }) => this.#ownerOf(path) === directory);
      const wanted = [...new Map(here.map(({ id, size }) => [id, { id, size }])).values()];
      const kept = new Map<string, StoredFile>();
      if (this.#around.git !== undefined) {
        for await (const objects of readObjects(this.#around.git, gitDirectory, wanted)) {
          this.#around.throwIfAborted();
          const keeping = [...objects].map(async ([id, bytes]) => {
            const { sha256 = sha256Of(bytes), problem } = await this.#keeper.keepBytes(bytes, true);
            kept.set(id, { sha256, problem });
          });
          await Promise.all(keeping);
        }
      }
      for (const entry of here) this.#settleInGit(entry, kept.get(entry.id));
    }
  }

  #settleInGit({ path, mode, size, after }: InGit, stored: StoredFile | undefined): void {
    if (stored === undefined) {
      this.notCaptured.push({ path, why: "its bytes were only in git, where they are not any more" });
      return;
    }
    const { sha256, problem } = stored;
    const file = { kind: "file", mode, sha256, size } as const;
    const before: StoredState = problem === undefined ? { ...file, kept: true } : file;
    if (problem !== undefined) this.notCaptured.push({ path, why: problem });
    if (!isSame(before, after)) this.#changes.push({ path, before, after });
  }

  /** So that differences can be shown. */
  async keepAfter(): Promise<Draft[]> {
    const shown = this.#changes.filter(({ after }) => after.kind === "file" && (after.size ?? mostShown) < mostShown);
    const kept = await this.#keeper.keepFiles(
      shown.map(({ path }) => path),
      false,
    );
    for (const [index, change] of shown.entries()) {
      const { sha256, problem } = kept[index] ?? {};
      const after = change.after as FileEntry;
      if (problem === undefined && sha256 !== undefined && sha256 === after.sha256) {
        change.after = { ...after, kept: true };
      }
    }
    return this.#changes;
  }

  /** Nothing for what is neither a file nor a directory nor a link. */
  #stateOf(
    path: string,
    stats: Stamps | undefined,
    gitIdLength?: number,
  ): { readonly state: EntryState; readonly gitId?: string } | undefined {
    if (stats === undefined) return { state: { kind: "missing" } };
    const absolute = `${this.#around.workspace}/${path}`;
    const mode = permissionsOf(stats.mode);
    switch (kindOf(stats.mode)) {
      case "directory":
        return { state: { kind: "directory", mode } };
      case "link": {
        const target = readTarget(absolute);
        return { state: target === undefined ? { kind: "missing" } : { kind: "link", target } };
      }
      case "file": {
        const wanted = gitIdLength === undefined ? { sha256: true } : { sha256: true, gitIdLength };
        const digests = digestFile(absolute, wanted, () => this.#around.throwIfAborted());
        if (digests === undefined) return { state: { kind: "file", mode, size: stats.size } };
        const { size, sha256, gitId } = digests;
        return { state: { kind: "file", mode, size, sha256 }, gitId };
      }
      case "other":
        return undefined;
    }
  }

  #ownerOf(path: string): string | undefined {
    const isAround = (directory: string): boolean => directory === "" || path.startsWith(`${directory}/`);
    return this.#repositories.find(({ directory }) => isAround(directory))?.directory;
  }
}

interface StoredFile {
  readonly sha256: string;
  readonly problem: string | undefined;
}

const notAFile = "it is neither a file nor a directory";

/** Nothing when it is not known, so that it could not be put back. */
function storedState(entry: EntryAt | undefined): StoredState | undefined {
  if (entry === undefined) return { kind: "missing" };
  const { table, row } = entry;
  const mode = permissionsOf(table.modes[row] as number);
  switch (table.kind(row)) {
    case "directory":
      return { kind: "directory", mode };
    case "link":
      return { kind: "link", target: table.targets.get(row) ?? "" };
    case "file": {
      const storage = table.storage(row);
      if (storage === "none") return undefined;
      const file = { kind: "file", mode, sha256: table.digest(row), size: table.sizes[row] as number } as const;
      return storage === "blob" ? { ...file, kept: true } : file;
    }
    case "other":
      return undefined;
  }
}

function permissionsOf(mode: number): number {
  return mode & permissionBits;
}

function isSame(before: StoredState, after: EntryState): boolean {
  switch (before.kind) {
    case "missing":
      return after.kind === "missing";
    case "directory":
      return after.kind === "directory" && after.mode === before.mode;
    case "link":
      return after.kind === "link" && after.target === before.target;
    case "file":
      return after.kind === "file" && after.mode === before.mode && after.sha256 === before.sha256;
  }
}

function verbFor(before: EntryAt | undefined, after: Stamps | undefined): string {
  if (after === undefined) return "it was removed";
  return before === undefined ? "it was made" : "it was changed";
}

function describeUnknown(compared: ComparedTrees): { path: string; why: string }[] {
  const { unreadable, madeRepositories, lostRepositories } = compared;
  const gitIn = (directory: string): string => (directory === "" ? ".git" : `${directory}/.git`);
  return [
    ...unreadable.map(({ path, why }) => ({ path: path === "" ? "." : path, why })),
    ...madeRepositories.map((directory) => ({
      path: gitIn(directory),
      why: "it was made, and what is in it is not observed",
    })),
    ...lostRepositories.map((directory) => ({
      path: gitIn(directory),
      why: "it was removed, and what was in it is not kept",
    })),
  ];
}

function describeRules({ unhidden, unclearRules }: ComparedTrees, { repositories }: Manifest): NotCaptured[] {
  const changed = repositories.filter(({ gitDirectory, sharedDirectory, excludes }) => {
    return isPresent(gitDirectory) && digestExcludes(sharedDirectory) !== excludes;
  });
  return [
    ...unhidden.map((path) => ({ path, why: "git ignored it before the command, so what it was like is not known" })),
    ...unclearRules.map((path) => ({ path, why: rulesChanged })),
    ...changed.map(({ directory }) => ({ path: pathIn(directory, gitName), why: rulesChanged })),
  ];
}

const rulesChanged =
  "the command changed which files git ignores: of those that are hidden now, or were, nothing is known";

/** Nothing of it is restored, because undo works below it. */
function describeWorkspace({ workspace }: Surroundings, { mode: before }: Manifest): { path: string; why: string }[] {
  const mode = lookAt(workspace)?.mode;
  if (mode === before) return [];
  if (mode === undefined) return [{ path: ".", why: "it was removed, and the workspace itself is not restored" }];
  const change = `its mode was ${showMode(before)} and is ${showMode(mode)}`;
  return [{ path: ".", why: `${change}, and that of the workspace itself is not restored` }];
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  return one.path < other.path ? -1 : Number(one.path > other.path);
}
