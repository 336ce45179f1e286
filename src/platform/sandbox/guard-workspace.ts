import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { err, ok, type Result } from "../../util/result.ts";
import { realPath } from "../files/file-paths.ts";
import { type HeldEntries, type HeldEntry, readHeld } from "../files/held-entries.ts";
import type { Mount } from "./bubblewrap-options.ts";
import { holdersName } from "./placeholder-holders.ts";
import { ensureEmpty, inertPointer, type Placeholder, takeCommonDirectory, takeDirectory } from "./placeholders.ts";

export interface GuardedWorkspace {
  readonly mounts: readonly Mount[];
  /** When the sandbox has ended. */
  release(): void;
}

class Unguardable extends Error {}

/**
 * What a person runs later without a sandbox and does not see in a review of the workspace: the settings and hooks of its git
 * repository, the pointers by which git finds them, and the workflows of the project. None can be changed, and none can be made
 * where there is none. A directory around them is a mount of its own because a mount can't be moved away.
 */
export function guardWorkspace(
  held: HeldEntries,
  workspace: string,
  freeWorktree: string | undefined,
): Result<GuardedWorkspace, string> {
  const guard = new Guard(held, workspace, freeWorktree);
  try {
    guard.guardDirectory(".frond");
    guard.guardRepository();
    return ok({ mounts: [...guard.mounts.values()], release: () => guard.release() });
  } catch (error) {
    guard.release();
    if (error instanceof Unguardable) return err(error.message);
    throw error;
  }
}

class Guard {
  readonly mounts: Map<string, Mount> = new Map();
  readonly #held: HeldEntries;
  readonly #workspace: string;
  readonly #freeWorktree: string | undefined;
  readonly #placeholders: Placeholder[] = [];

  constructor(held: HeldEntries, workspace: string, freeWorktree: string | undefined) {
    this.#held = held;
    this.#workspace = workspace;
    this.#freeWorktree = freeWorktree;
  }

  /** Read-only with all that is in it; a placeholder where there is none. */
  guardDirectory(name: string): void {
    const path = join(this.#workspace, name);
    if (this.#find(path)?.kind !== "file") this.#hold(takeDirectory(this.#directory(this.#workspace), name));
    this.#protect(path);
  }

  guardRepository(): void {
    const path = join(this.#workspace, ".git");
    const found = this.#find(path);
    if (found?.kind === "directory" && !this.#isEmpty(found)) return this.#guardGitDirectory(path);
    this.guardDirectory(".git");
    if (found?.kind !== "file") return;
    const [, named] = /^gitdir: ([^\n]+)/.exec(readHeld(found)) ?? [];
    if (named !== undefined) this.#guardPointedAt(resolve(this.#workspace, named));
  }

  release(): void {
    for (const placeholder of this.#placeholders.splice(0)) {
      try {
        placeholder.release();
      } catch {
        // What it stands in was removed meanwhile, or can't be written any more; the next sandbox here tries again.
      }
    }
  }

  /** What is outside the workspace can't be written to anyway. */
  #guardPointedAt(path: string): void {
    const real = realPath(path);
    if (real === undefined || !real.startsWith(`${this.#workspace}/`) || this.mounts.has(real)) return;
    if (this.#find(real)?.kind === "directory") this.#guardGitDirectory(real);
  }

  #guardGitDirectory(path: string): void {
    this.#pinWay(path);
    const directory = this.#directory(path);
    this.#guardOwn(path, "hooks", "directory");
    this.#guardOwn(path, "modules", "directory");
    this.#guardOwn(path, "config", "file");
    this.#guardOwn(path, "config.worktree", "file");
    const pointer = this.#pointerIn(path, "commondir");
    if (pointer === undefined || pointer === inertPointer) {
      this.#hold(takeCommonDirectory(directory));
      this.#protect(join(path, holdersName));
    } else this.#guardPointedAt(resolve(path, pointer));
    this.#protect(join(path, "commondir"));
    this.#guardWorktrees(join(path, "worktrees"));
  }

  /** One that is missing is made: git would obey it later, when a submodule or `git sparse-checkout` first needs it. */
  #guardOwn(path: string, name: string, kind: "directory" | "file"): void {
    ensureEmpty(this.#directory(path), name, kind);
    this.#protect(join(path, name));
  }

  /** Worktrees of the repository that lie anywhere, also outside: what is written here tells git where their settings are. */
  #guardWorktrees(path: string): void {
    if (this.#find(path) === undefined) return;
    this.#pin(path);
    for (const name of this.#namesIn(this.#directory(path))) {
      const worktree = join(path, name);
      if (this.#find(worktree)?.kind === "file") continue;
      const place = this.#pointerIn(worktree, "gitdir");
      if (this.#freeWorktree !== undefined && place === join(this.#freeWorktree, ".git")) continue;
      this.#pin(worktree);
      // Git takes a worktree with `modules`, even an empty one, for one that has submodules, and does not remove it: none is made.
      for (const guarded of ["commondir", "gitdir", "modules"]) this.#protect(join(worktree, guarded));
      this.#guardOwn(worktree, "config.worktree", "file");
    }
  }

  #hold(placeholder: Placeholder | undefined): void {
    if (placeholder !== undefined) this.#placeholders.push(placeholder);
  }

  #protect(path: string): void {
    const entry = this.#find(path);
    if (entry !== undefined) this.mounts.set(path, { path, kind: "read-only", entry });
  }

  #pin(path: string): void {
    this.mounts.set(path, { path, kind: "writable", entry: this.#directory(path) });
  }

  #pinWay(path: string): void {
    const names = path.slice(this.#workspace.length + 1).split("/");
    for (const [index] of names.entries()) this.#pin(join(this.#workspace, ...names.slice(0, index + 1)));
  }

  #directory(path: string): HeldEntry {
    const entry = this.#find(path);
    if (entry?.kind === "directory") return entry;
    throw new Unguardable(`'${path}' is not a directory any more`);
  }

  #pointerIn(path: string, name: string): string | undefined {
    const entry = this.#find(join(path, name));
    return entry?.kind === "file" ? readHeld(entry).trim() : undefined;
  }

  #isEmpty(directory: HeldEntry): boolean {
    return this.#namesIn(directory).every((name) => name === holdersName);
  }

  #namesIn({ fd }: HeldEntry): string[] {
    return readdirSync(`/proc/self/fd/${fd}`);
  }

  #find(path: string): HeldEntry | undefined {
    const entry = this.#held.find(path);
    if (entry?.kind !== "link") return entry;
    throw new Unguardable(`'${path}' is a symbolic link, which the sandbox can't keep from being replaced`);
  }
}
