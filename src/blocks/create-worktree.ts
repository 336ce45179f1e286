import * as z from "zod";
import type { BlockContext, BlockResult, BlockType } from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import type { RootedPath } from "../block/ports.ts";
import { absolutePath, childOf, shownPath } from "../block/rooted-path.ts";
import { lookAt, planParents } from "./files/entries.ts";
import { OperationFailed, orFail, settleOperation } from "./files/file-operation.ts";
import { pathInput, unsafeInput } from "./files/path-inputs.ts";
import { Repository } from "./git/repository.ts";
import { gitName, repoInput } from "./git/worktree-inputs.ts";
import {
  dropWorktree,
  gitDirectoryOf,
  listWorktrees,
  refuseBadBranchName,
  refuseControlCharacters,
  type Worktree,
} from "./git/worktrees.ts";

const inputs = () =>
  z.strictObject({
    path: pathInput("The directory to make"),
    branch: gitName().describe("The branch to check out there; it is made if there is no such branch yet"),
    base_branch: gitName()
      .optional()
      .describe("Where a new branch begins: a branch, tag or commit; default: what is checked out now"),
    repo: repoInput(),
    unsafe: unsafeInput(),
  });

const outputs = () =>
  z.strictObject({
    worktree_path: z.string().nullable().describe("Absolute path of the worktree; null when the block did not run"),
    branch: z.string().describe("The branch that is checked out there"),
    created: z.boolean().describe("false when there was such a worktree already"),
  });

// Not an empty text, which as a working directory would be the workspace itself.
const defaultOutputs = { worktree_path: null, branch: "", created: false };

export const createWorktree: BlockType = defineLeaf({
  type: "CreateWorktree",
  summary: "Checks out a branch of a git repository in a directory of its own; one that is there already is fine.",
  inputs,
  outputs,
  defaultOutputs,
  capabilities: ["commands", "writes files"],
  // Git makes the changes, and nothing is kept of what it replaces.
  undo: "irreversible",
  onInterrupted: "rerun",
  run,
});

type Inputs = InputsOf<typeof inputs>;

async function run(input: Inputs, context: BlockContext): Promise<BlockResult> {
  const { files } = context;
  const { branch, unsafe } = input;
  refuseControlCharacters(input.path);
  const at = files.locateForChange(input.path, unsafe);
  const made = { worktree_path: absolutePath(at), branch, created: false };
  return settleOperation(made, async () => {
    const repository = await Repository.open(context, files.locate(input.repo, unsafe));
    const shared = await repository.sharedPlace();
    await refuseBadBranchName(repository, branch);
    return files.exclusively(shared, async () => {
      const making = { repository, shared, at, context, branch };
      if (await isThereAlready(making)) return made;
      await add(making, await findStart(repository, input));
      return { ...made, created: true };
    });
  });
}

interface Making {
  readonly repository: Repository;
  /** What all worktrees of the repository share. */
  readonly shared: RootedPath;
  readonly at: RootedPath;
  readonly branch: string;
  readonly context: BlockContext;
}

/** Leaves the path free, unless the worktree is there. */
async function isThereAlready(making: Making): Promise<boolean> {
  const { repository, at, branch, context } = making;
  const path = absolutePath(at);
  const { kind } = await lookAt(context.files, at);
  const known = (await listWorktrees(repository)).find((worktree) => worktree.path === path);
  if (known === undefined) {
    const isFree = kind === "missing" || (kind === "directory" && orFail(await context.files.list(at)).length === 0);
    if (!isFree)
      throw new OperationFailed(`'${shownPath(at)}' exists already, and is not a worktree of this repository`);
    return false;
  }
  // Its directory was removed without git's knowing.
  if (kind === "missing") {
    await dropWorktree(repository, context.files, at, path);
    return false;
  }
  if (isHalfMade(known)) return removeHalfMade(making);
  if (known.branch === branch) return !(await isLeftEmpty(making)) || removeHalfMade(making);
  const what = known.branch === undefined ? "without a branch" : `of the branch '${known.branch}'`;
  throw new OperationFailed(`'${shownPath(at)}' is a worktree already, ${what}`);
}

/** Left by an attempt that died before its files were checked out: git has no list of them then. */
async function isLeftEmpty({ at, shared, context: { files, attempt } }: Making): Promise<boolean> {
  const gitDirectory = attempt === 1 ? undefined : await gitDirectoryOf(files, at, shared);
  return gitDirectory !== undefined && (await files.look(childOf(gitDirectory, "index"))).kind === "missing";
}

/** While git makes a worktree it keeps it locked with this reason. */
function isHalfMade({ locked }: Worktree): boolean {
  return locked === "initializing";
}

/** What an attempt of ours left that died; it may be somebody else's work only as long as we have not tried. */
async function removeHalfMade({ repository, at, context: { attempt, files } }: Making): Promise<false> {
  if (attempt === 1) {
    throw new OperationFailed(
      `'${shownPath(at)}' is being made by another git, or was left by one that was killed: \`git worktree remove -f -f\` removes it`,
    );
  }
  await dropWorktree(repository, files, at, absolutePath(at));
  return false;
}

/** What is checked out: arguments of `git worktree add`. */
interface Start {
  readonly options: readonly string[];
  readonly commit: string;
}

async function findStart(repository: Repository, { branch, base_branch: base }: Inputs): Promise<Start> {
  const { succeeded: exists } = await repository.ask("show-ref", "--verify", "--quiet", `refs/heads/${branch}`);
  if (exists) return { options: [], commit: branch };
  const { succeeded, stdout } = await repository.ask(
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${base ?? "HEAD"}^{commit}`,
  );
  // A branch that begins at one of a remote would follow it, and be pushed there.
  if (succeeded) return { options: ["--no-track", "-b", branch], commit: stdout.trim() };
  const isMissing = `there is no branch, tag or commit '${base}' for the new branch to begin at`;
  throw new OperationFailed(
    base === undefined ? "the repository has no commit yet that a branch could begin at" : isMissing,
  );
}

/**
 * In a directory of ours that git is started in, and never looks for by its path: whatever is put in its place meanwhile, nothing
 * is written elsewhere. Git does so only when it makes the worktree and fills it in two steps.
 */
async function add({ repository, shared, at, context }: Making, { options, commit }: Start): Promise<void> {
  const { files } = context;
  const parents = await planParents(files, at, true);
  const missing = [...parents.map((change) => ("at" in change ? change.at : at)), at];
  const made: RootedPath[] = [];
  try {
    for (const directory of missing) {
      const problem = await files.makeEmpty(directory);
      // An empty one at the path itself will do.
      if (problem?.kind === "exists" && directory === at) continue;
      orFail(problem ?? {});
      made.unshift(directory);
    }
    const worktree = { at, gitDirectory: absolutePath(shared) };
    await repository.change(["worktree", "add", "--no-checkout", ...options, "--", ".", commit], { worktree });
  } catch (error) {
    for (const directory of made) await files.removeEmpty(directory);
    throw error;
  }
  const gitDirectory = await gitDirectoryOf(files, at, shared);
  if (gitDirectory === undefined) throw new OperationFailed(`'${shownPath(at)}' was replaced while it was made`);
  await repository.change(["checkout", "--force"], { worktree: { at, gitDirectory: absolutePath(gitDirectory) } });
}
