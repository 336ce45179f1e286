import { BlockCannotRun, type BlockContext } from "../../block/define-block.ts";
import type { RootedPath } from "../../block/ports.ts";
import { absolutePath } from "../../block/rooted-path.ts";
import { type GitAnswer, Repository } from "./repository.ts";
import { listWorktrees } from "./worktrees.ts";

/** An object id; `ref: refs/heads/main` for one that stands for another; null where there is none. */
export type RefValue = string | null;

/** The refs in a git directory. It is told to git as it is, so that none is looked for on the way up, and no hook of it runs. */
export class RefStore {
  readonly #repository: Repository;
  readonly #place: { readonly at: RootedPath; readonly gitDirectory: string };

  private constructor(repository: Repository, at: RootedPath) {
    this.#repository = repository;
    this.#place = { at, gitDirectory: absolutePath(at) };
  }

  static async open(context: BlockContext, at: RootedPath): Promise<RefStore> {
    return new RefStore(await Repository.open(context, at), at);
  }

  async read(name: string): Promise<RefValue> {
    refuseBadName(name);
    const symbolic = await this.#ask("symbolic-ref", "--quiet", name);
    if (symbolic.succeeded) return `ref: ${symbolic.stdout.trimEnd()}`;
    const { succeeded, stdout } = await this.#ask("show-ref", "--verify", "--hash", name);
    return succeeded ? stdout.trimEnd() : null;
  }

  /** Where a branch is checked out. */
  async worktreeOn(name: string): Promise<string | undefined> {
    const branch = name.replace(/^refs\/heads\//, "");
    if (branch === name) return undefined;
    const all = await listWorktrees({ ask: (...args) => this.#ask(...args) });
    return all.find((worktree) => worktree.branch === branch)?.path;
  }

  /** Gives what keeps git from it, in its own words. Compares and sets as one step wherever git can. */
  async move(name: string, from: RefValue, to: RefValue): Promise<string | undefined> {
    refuseBadName(name);
    const { succeeded, complaint } = await this.#move(name, from, to);
    return succeeded ? undefined : complaint;
  }

  async #move(name: string, from: RefValue, to: RefValue): Promise<GitAnswer> {
    const why = ["-m", "frond: undo"];
    const target = to === null ? undefined : /^ref: (.+)$/.exec(to)?.[1];
    // Of those that stand for another git compares nothing.
    if (target !== undefined) return this.#ask("symbolic-ref", ...why, name, target);
    if (from?.startsWith("ref: ")) {
      if (to === null) return this.#ask("symbolic-ref", "--delete", name);
      return this.#ask("update-ref", ...why, "--no-deref", name, to);
    }
    if (to === null) return this.#ask("update-ref", ...why, "--no-deref", "-d", name, from ?? "");
    return this.#ask("update-ref", ...why, "--create-reflog", "--no-deref", name, to, from ?? "0".repeat(to.length));
  }

  #ask(...args: readonly string[]): Promise<GitAnswer> {
    return this.#repository.askIn(this.#place, ...args);
  }
}

function refuseBadName(name: string): void {
  if (/^(?:HEAD|refs\/.+)$/.test(name)) return;
  throw new BlockCannotRun(`'${name}' is not the full name of a git ref, such as refs/heads/main or HEAD.`);
}
