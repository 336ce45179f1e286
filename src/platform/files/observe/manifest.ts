import type { ObservedRepository } from "./repository-facts.ts";
import type { DirectoryRecord, Tree } from "./tree.ts";
import { readTree, writeTree } from "./tree-bytes.ts";

/** What is told of a workspace as it was before a command, beside the entries in it. */
export interface ManifestFacts {
  /** Of the workspace itself, as the system tells it. */
  readonly mode: number;
  readonly writes: readonly string[];
  readonly repositories: readonly ObservedRepository[];
}

/**
 * A workspace before a command. As bytes it only holds the directories that are not as in its base, a tree of its own which the
 * commands of a run share: of what they change, not of how much there is, depends how much is kept for each.
 */
export interface Manifest extends ManifestFacts {
  readonly tree: Tree;
}

interface ManifestHeader extends ManifestFacts {
  readonly base: string;
  /** Directories of the base that are no longer there. */
  readonly gone: readonly string[];
}

export interface Base {
  readonly sha256: string;
  readonly tree: Tree;
}

export function writeManifest({ tree, mode, writes, repositories }: Manifest, base: Base): Uint8Array {
  const changed = new Map([...tree].filter(([path, record]) => base.tree.get(path) !== record));
  const gone = [...base.tree.keys()].filter((path) => !tree.has(path));
  return writeTree(changed, { base: base.sha256, gone, mode, writes, repositories } satisfies ManifestHeader);
}

/** Its base is looked up; nothing when that or the manifest itself can't be read. */
export async function readManifest(
  bytes: Uint8Array,
  findBase: (sha256: string) => Promise<Tree | undefined>,
): Promise<Manifest | undefined> {
  const read = readTree(bytes);
  if (read === undefined) return undefined;
  const { base: sha256, gone, mode, writes, repositories } = read.about as ManifestHeader;
  const base = await findBase(sha256);
  if (base === undefined) return undefined;
  const tree = new Map<string, DirectoryRecord>(base);
  for (const path of gone) tree.delete(path);
  for (const [path, record] of read.tree) tree.set(path, record);
  return { tree, mode, writes, repositories };
}
