import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KnownBefore } from "./look-at-tree.ts";
import { type Base, readManifest } from "./manifest.ts";
import type { Tree } from "./tree.ts";
import { readTree } from "./tree-bytes.ts";

/** What is known of a workspace since somebody looked at it last. */
export interface WorkspaceIndex extends KnownBefore {
  /** Absent before the first look. */
  readonly base?: Base & { readonly bytes: Uint8Array };
}

const empty: WorkspaceIndex = { tree: new Map(), repositories: [] };

/** Unused ones are removed after this time: their workspace may be gone. */
const keptMs = 30 * 24 * 60 * 60 * 1000;

/**
 * The trees of workspaces, in files of the state directory. They only save work: one that is lost, damaged or of another time is as
 * good as none, because an entry is believed only as far as its stamps are the same.
 */
export class WorkspaceIndexes {
  readonly #directory: string;
  /** Of the workspaces that were looked at last. */
  readonly #loaded = new Map<string, WorkspaceIndex>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  async load(workspace: string): Promise<WorkspaceIndex> {
    const loaded = this.#loaded.get(workspace) ?? (await this.#read(workspace)) ?? empty;
    this.#remember(workspace, loaded);
    return loaded;
  }

  /** `manifest` are the bytes of what has been found; the base's are written only if they are new. */
  save(workspace: string, index: Required<WorkspaceIndex>, manifest: Uint8Array): void {
    const before = this.#loaded.get(workspace);
    this.#remember(workspace, index);
    try {
      const directory = this.#directoryOf(workspace);
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      if (before?.base?.sha256 !== index.base.sha256) write(join(directory, "base"), index.base.bytes);
      write(join(directory, "last"), manifest);
      this.#sweep();
    } catch {
      // Next time everything is looked at again.
    }
  }

  findBase(sha256: string): Tree | undefined {
    for (const { base } of this.#loaded.values()) if (base?.sha256 === sha256) return base.tree;
    return undefined;
  }

  async #read(workspace: string): Promise<WorkspaceIndex | undefined> {
    try {
      const directory = this.#directoryOf(workspace);
      const bytes = readFileSync(join(directory, "base"));
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const tree = readTree(bytes)?.tree;
      if (tree === undefined) return undefined;
      const find = async (wanted: string): Promise<Tree | undefined> => (wanted === sha256 ? tree : undefined);
      const last = await readManifest(readFileSync(join(directory, "last")), find);
      const base = { sha256, tree, bytes };
      return last === undefined ? { base, tree, repositories: [] } : { base, ...last };
    } catch {
      return undefined;
    }
  }

  /** They are large; a process mostly works in one. */
  #remember(workspace: string, index: WorkspaceIndex): void {
    this.#loaded.delete(workspace);
    this.#loaded.set(workspace, index);
    for (const [oldest] of this.#loaded) {
      if (this.#loaded.size <= mostLoaded) return;
      this.#loaded.delete(oldest);
    }
  }

  #directoryOf(workspace: string): string {
    return join(this.#directory, createHash("sha256").update(workspace).digest("hex").slice(0, 32));
  }

  #sweep(): void {
    for (const name of readdirSync(this.#directory)) {
      const directory = join(this.#directory, name);
      const used = statSync(join(directory, "last"), { throwIfNoEntry: false });
      if (used !== undefined && Date.now() - used.mtimeMs > keptMs) rmSync(directory, { recursive: true, force: true });
    }
  }
}

const mostLoaded = 3;

/** As a whole or not at all; what a crash of the system makes of it is found out by reading. */
function write(file: string, bytes: Uint8Array): void {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, bytes, { mode: 0o600 });
  renameSync(temporary, file);
}
