import { createHash } from "node:crypto";
import { err, ok, type Result } from "../../../util/result.ts";
import { digestFile, sha1Digits } from "./digest-file.ts";
import type { Storage } from "./entry-table.ts";
import { isGone, lookAt } from "./look-at-file.ts";
import { lookAtTree, type UnknownEntry } from "./look-at-tree.ts";
import { type Manifest, writeManifest } from "./manifest.ts";
import type { Keeper, Surroundings } from "./surroundings.ts";
import { listUnconverted } from "./tracked-files.ts";
import { countRows, type DirectoryRecord, gatherRows, pathIn, type Tree, withoutNames } from "./tree.ts";
import { writeTree } from "./tree-bytes.ts";
import type { WorkspaceIndex, WorkspaceIndexes } from "./workspace-index.ts";
import { WriteGlobs } from "./write-globs.ts";

export interface NotCaptured {
  readonly path: string;
  readonly why: string;
}

export interface Begun {
  readonly snapshot: string;
  readonly notCaptured: readonly NotCaptured[];
}

/** Looks at a workspace and keeps what is not kept yet of it; what it was like is among the blobs then. */
export async function beginObservation(
  around: Surroundings,
  writes: readonly string[],
  indexes: WorkspaceIndexes,
  keeper: Keeper,
): Promise<Result<Begun, string>> {
  const known = await indexes.load(around.workspace);
  const mode = lookAt(around.workspace)?.mode ?? 0;
  const looked = await lookAtTree(around, new WriteGlobs(writes), known);
  const gone = await keepUnknown(around, looked.unknown, keeper);
  forget(around.workspace, looked.tree, [...looked.gone, ...gone]);
  await useKnown(looked.tree, keeper);
  const manifest: Manifest = { tree: looked.tree, mode, writes, repositories: looked.repositories };
  const base = chooseBase(known, looked.tree);
  const bytes = writeManifest(manifest, base);
  const [isUsed] = await keeper.use([base.sha256]);
  const problem = isUsed ? undefined : (await keeper.keepBytes(base.bytes, true)).problem;
  const kept = problem === undefined ? await keeper.keepBytes(bytes, true) : { problem };
  if (!("sha256" in kept) || kept.sha256 === undefined) return err(kept.problem ?? "It can't be kept.");
  indexes.save(around.workspace, { ...manifest, base }, bytes);
  return ok({ snapshot: kept.sha256, notCaptured: listNotCaptured(looked.tree) });
}

/** Of changes while it is looked at, so many are followed. */
const mostTries = 3;

/** Finds the bytes of files in git, or has them kept. Gives the paths of those that are gone before that. */
async function keepUnknown(
  around: Surroundings,
  unknown: readonly UnknownEntry[],
  keeper: Keeper,
): Promise<readonly string[]> {
  const gone: string[] = [];
  const { workspace } = around;
  const throwIfAborted = (): void => around.throwIfAborted();
  const unconverted = await findUnconverted(around, unknown);
  let rest = unknown.filter(({ path, table, row, gitId }) => {
    if (gitId === undefined) return true;
    if (unconverted.has(path)) {
      table.setStorage(row, storageOf(gitId), gitId);
      return false;
    }
    const digests = digestFile(`${workspace}/${path}`, { gitIdLength: gitId.length }, throwIfAborted);
    if (digests?.gitId !== gitId) return true;
    table.setStorage(row, storageOf(gitId), gitId);
    return false;
  });
  for (let tries = 1; rest.length > 0; tries++) {
    const kept = await keeper.keepFiles(
      rest.map(({ path }) => path),
      true,
    );
    rest = rest.filter(({ path, table, row }, index) => {
      const { sha256, problem } = kept[index] ?? {};
      const stats = lookAt(`${workspace}/${path}`);
      if (stats === undefined && isGone(`${workspace}/${path}`)) {
        gone.push(path);
        return false;
      }
      if (stats !== undefined && !table.isSame(row, stats)) {
        // Somebody is writing to it at this moment.
        const isTriedAgain = tries < mostTries && stats.isFile();
        if (isTriedAgain) table.restamp(row, stats);
        else table.reasons.set(row, "it kept changing while it was read");
        return isTriedAgain;
      }
      table.setStorage(row, problem !== undefined ? (sha256 ? "known" : "none") : "blob", sha256);
      if (problem !== undefined) table.reasons.set(row, problem);
      return false;
    });
  }
  return gone;
}

/** What is gone before the command starts is none of its doing; nor are the directories that went with it. */
function forget(workspace: string, tree: Map<string, DirectoryRecord>, paths: readonly string[]): void {
  const gone = new Map<string, Set<string>>();
  const wanted = [...paths];
  for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
    const end = path.lastIndexOf("/");
    const directory = path.slice(0, Math.max(end, 0));
    const names = gone.get(directory) ?? new Set();
    if (names.size === 0 && directory !== "" && isGone(`${workspace}/${directory}`)) wanted.push(directory);
    gone.set(directory, names.add(path.slice(end + 1)));
    tree.delete(path);
  }
  for (const [directory, names] of gone) {
    const record = tree.get(directory);
    if (record !== undefined) tree.set(directory, withoutNames(record, names));
  }
}

function storageOf(gitId: string): Storage {
  return gitId.length === sha1Digits ? "git-sha1" : "git-sha256";
}

/** Files whose bytes are in git for certain without being read: it takes them for unchanged, and keeps them as they are. */
async function findUnconverted(
  { git, workspace }: Surroundings,
  unknown: readonly UnknownEntry[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (git === undefined) return found;
  for (const directory of new Set(unknown.map(({ unchangedIn }) => unchangedIn))) {
    if (directory === undefined) continue;
    const paths = unknown.filter(({ unchangedIn }) => unchangedIn === directory).map(({ path }) => path);
    for (const path of await listUnconverted(git, workspace, { directory }, paths)) found.add(path);
  }
  return found;
}

/** The run becomes a user of all that was kept for others before; what is gone is kept anew. */
async function useKnown(tree: Map<string, DirectoryRecord>, keeper: Keeper): Promise<void> {
  const users = new Map<string, { readonly directory: string; readonly index: number }[]>();
  for (const [directory, { table, first, names }] of tree) {
    for (let index = 0; index < names.length; index++) {
      if (table.storage(first + index) !== "blob") continue;
      const sha256 = table.digest(first + index);
      const others = users.get(sha256);
      if (others === undefined) users.set(sha256, [{ directory, index }]);
      else others.push({ directory, index });
    }
  }
  const sha256s = [...users.keys()];
  const isThere = await keeper.use(sha256s);
  for (const [at, sha256] of sha256s.entries()) {
    if (isThere[at]) continue;
    for (const { directory, index } of users.get(sha256) ?? []) {
      const name = tree.get(directory)?.names[index] as string;
      const [kept] = await keeper.keepFiles([pathIn(directory, name)], true);
      if (kept?.sha256 !== sha256 || kept.problem !== undefined) {
        giveUp(tree, directory, index, kept?.problem ?? "it changed while it was read");
      }
    }
  }
}

/** In a table of its own: the record may be shared with what was known before. */
function giveUp(tree: Map<string, DirectoryRecord>, directory: string, index: number, why: string): void {
  const record = gatherRows(new Map([...tree].filter(([path]) => path === directory))).get(directory);
  if (record === undefined) return;
  const { table, first } = record;
  table.setStorage(first + index, "known", table.digest(first + index));
  table.reasons.set(first + index, why);
  tree.set(directory, record);
}

/** A larger part that is not in the base is worth a new one. */
const mostChanged = 0.1;
const alwaysAllowed = 500;

function chooseBase(known: WorkspaceIndex, tree: Tree): NonNullable<WorkspaceIndex["base"]> {
  const { base } = known;
  if (base !== undefined) {
    const changed = new Map([...tree].filter(([path, record]) => base.tree.get(path) !== record));
    if (countRows(changed) <= Math.max(alwaysAllowed, mostChanged * countRows(tree))) return base;
  }
  const bytes = writeTree(tree, undefined);
  return { sha256: createHash("sha256").update(bytes).digest("hex"), tree, bytes };
}

/** Sorted by path. */
function listNotCaptured(tree: Tree): NotCaptured[] {
  const found: NotCaptured[] = [];
  for (const [directory, { table, first, names, unreadable }] of tree) {
    if (unreadable !== undefined) found.push({ path: directory === "" ? "." : directory, why: unreadable });
    if (table.reasons.size === 0) continue;
    for (const [index, name] of names.entries()) {
      const why = table.reasons.get(first + index);
      if (why !== undefined) found.push({ path: pathIn(directory, name), why });
    }
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}
