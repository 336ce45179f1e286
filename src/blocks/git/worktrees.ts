import { resolve } from "node:path";
import type { BlockFiles } from "../../block/block-files.ts";
import { BlockCannotRun } from "../../block/define-block.ts";
import type { RootedPath } from "../../block/ports.ts";
import { absolutePath, childOf, isWithin } from "../../block/rooted-path.ts";
import { OperationFailed, orFail } from "../files/file-operation.ts";
import type { Repository } from "./repository.ts";

export interface Worktree {
  /** A real path. */
  readonly path: string;
  /** Nothing when no branch is checked out there. */
  readonly branch: string | undefined;
  /** What is checked out there; nothing while it is being made. */
  readonly commit: string | undefined;
  /** Why it is locked; empty when no reason is told. */
  readonly locked: string | undefined;
  /** The one the repository was made with. */
  readonly isMain: boolean;
}

export async function listWorktrees(repository: Pick<Repository, "ask">): Promise<Worktree[]> {
  const answer = await repository.ask("worktree", "list", "--porcelain");
  if (!answer.succeeded) throw new OperationFailed(`git worktree list: ${answer.complaint}`);
  return answer.stdout.split("\n\n").filter(Boolean).map(readWorktree);
}

/** Lines of a word and, for most, what it says: `worktree /path`, `branch refs/heads/main`, `locked`. */
function readWorktree(text: string, index: number): Worktree {
  const lines = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [word = "", ...rest] = line.split(" ");
    lines.set(word, rest.join(" "));
  }
  return {
    path: lines.get("worktree") ?? "",
    branch: lines.get("branch")?.replace(/^refs\/heads\//, ""),
    commit: lines.get("HEAD"),
    locked: lines.get("locked"),
    isMain: index === 0,
  };
}

/** A line break in a path could not be told from the end of it. */
export function refuseControlCharacters(path: string): void {
  if (/\p{Cc}/u.test(path)) throw new BlockCannotRun("The path contains a control character.");
}

/** Exactly this name, not what git makes of a shorthand like `@{-1}`. */
export async function refuseBadBranchName(repository: Repository, branch: string): Promise<void> {
  const answer = await repository.ask("check-ref-format", "--branch", branch);
  if (answer.succeeded && answer.stdout === `${branch}\n`) return;
  throw new BlockCannotRun(`'${branch}' is not a name that a branch can have.`);
}

/** What the repository keeps of a worktree, which a file in the worktree names; nothing where there is no such file. */
export async function gitDirectoryOf(
  files: BlockFiles,
  at: RootedPath,
  shared: RootedPath,
): Promise<RootedPath | undefined> {
  const text = await readPointer(files, childOf(at, ".git"));
  const path = text === undefined ? undefined : /^gitdir: (.+)$/.exec(text)?.[1];
  if (path === undefined) return undefined;
  const gitDirectory = { root: "/", path: resolve(absolutePath(at), path).slice(1) };
  // It names the worktree in turn, so that none can be passed off for another.
  const isKnown = isWithin(gitDirectory, childOf(shared, "worktrees"));
  const back = isKnown ? await readPointer(files, childOf(gitDirectory, "gitdir")) : undefined;
  if (back === undefined) return undefined;
  return resolve(absolutePath(gitDirectory), back) === absolutePath(childOf(at, ".git")) ? gitDirectory : undefined;
}

const longestPointer = 10_000;

async function readPointer(files: BlockFiles, at: RootedPath): Promise<string | undefined> {
  const read = await files.read(at, longestPointer);
  return "bytes" in read ? new TextDecoder().decode(read.bytes).trimEnd() : undefined;
}

/** Removes the directory of a worktree, and then what git knows of it. Git itself would go by a path, which may lead elsewhere by now. */
export async function dropWorktree(
  repository: Repository,
  files: BlockFiles,
  at: RootedPath,
  path: string,
): Promise<void> {
  orFail((await files.removeTree(at)) ?? {});
  await repository.change(["worktree", "remove", "--force", "--force", "--", path], { removed: path });
}
