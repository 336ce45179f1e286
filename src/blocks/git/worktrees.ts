import { BlockCannotRun } from "../../block/define-block.ts";
import { OperationFailed } from "../files/file-operation.ts";
import type { Repository } from "./repository.ts";

export interface Worktree {
  /** A real path. */
  readonly path: string;
  /** Nothing when no branch is checked out there. */
  readonly branch: string | undefined;
  /** Why it is locked; empty when no reason is told. */
  readonly locked: string | undefined;
  /** The one the repository was made with. */
  readonly isMain: boolean;
}

export async function listWorktrees(repository: Repository): Promise<Worktree[]> {
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
