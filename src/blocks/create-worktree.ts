import * as z from "zod";
import type {
  BlockContext,
  BlockResult,
  BlockType,
  Compensation,
  InputProblem,
  WrittenInputs,
} from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import type { RootedPath } from "../block/ports.ts";
import { absolutePath, childOf, shownPath } from "../block/rooted-path.ts";
import type { ValueMap } from "../expression/value.ts";
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
    branch: gitName()
      .optional()
      .describe(
        "The branch to check out there; it is made if there is no such branch yet. Needed unless there is a commit",
      ),
    base_branch: gitName()
      .optional()
      .describe("Where a new branch begins: a branch, tag or commit; default: what is checked out now"),
    commit: gitName()
      .optional()
      .describe("The commit to check out there: a new branch begins at it, and one that is elsewhere fails the block"),
    without: z.array(z.string().min(1)).default([]).describe("Files of the commit that are left out"),
    repo: repoInput(),
    unsafe: unsafeInput(),
  });

const outputs = () =>
  z.strictObject({
    worktree_path: z.string().nullable().describe("Absolute path of the worktree; null when the block did not run"),
    branch: z.string().describe("The branch that is checked out there; empty when there is none"),
    created: z.boolean().describe("false when there was such a worktree already"),
    commit: z.string().describe("What was checked out there when it was made; empty when it was not made now"),
    created_branch: z.boolean().describe("Whether the branch was made for it"),
    repo: z.string().describe("Absolute path of the repository's directory"),
  });

// Not an empty text, which as a working directory would be the workspace itself.
const nothingMade = { branch: "", created: false, commit: "", created_branch: false, repo: "" };
const defaultOutputs = { worktree_path: null, ...nothingMade };

export const createWorktree: BlockType = defineLeaf({
  type: "CreateWorktree",
  summary: "Checks out a branch of a git repository in a directory of its own; one that is there already is fine.",
  inputs,
  outputs,
  defaultOutputs,
  capabilities: ["commands", "writes files"],
  undo: "automatic",
  compensation,
  onInterrupted: "rerun",
  check,
  run,
});

type Inputs = InputsOf<typeof inputs>;
type Outputs = InputsOf<typeof outputs>;

function check({ branch, commit }: WrittenInputs): InputProblem[] {
  if (branch !== undefined || commit !== undefined) return [];
  const message = "CreateWorktree needs a branch.";
  return [
    { code: "branch-or-commit", level: "error", message, fix: "Add `branch:`, or `commit:` to have none there." },
  ];
}

/** A worktree in which something has been done since stays, and so does a branch that has moved. */
function compensation({ unsafe, without = [] }: ValueMap, outputs: ValueMap): Compensation | undefined {
  const { worktree_path: path, branch, created, commit, created_branch: isNew, repo } = outputs as Outputs;
  if (!created) return undefined;
  const deleted = isNew ? { delete_branch: { name: branch, at: commit } } : {};
  return { type: "RemoveWorktree", inputs: { path: path ?? "", without, ...deleted, repo, unsafe: unsafe === true } };
}

async function run(input: Inputs, context: BlockContext): Promise<BlockResult> {
  const { files } = context;
  const { branch, unsafe, without } = input;
  refuseControlCharacters(input.path);
  const at = files.locateForChange(input.path, unsafe);
  const place = files.locate(input.repo, unsafe);
  const known = { worktree_path: absolutePath(at), branch: branch ?? "", repo: absolutePath(place) };
  const untouched = { ...nothingMade, ...known };
  return settleOperation(untouched, async () => {
    const repository = await Repository.open(context, place);
    const shared = await repository.sharedPlace();
    if (branch !== undefined) await refuseBadBranchName(repository, branch);
    return files.exclusively(shared, async () => {
      const detachedAt = branch === undefined ? await findCommit(repository, input.commit ?? "HEAD") : undefined;
      const making = { repository, shared, at, context, branch, detachedAt };
      if (await isThereAlready(making)) {
        // What an attempt of ours has left that died is as good as made by this one.
        if (context.attempt > 1) await leaveOut(making, without);
        return untouched;
      }
      const start = await findStart(repository, input);
      const made = { ...known, created: true, commit: start.commit, created_branch: start.isNewBranch };
      await add(making, start, made);
      await leaveOut(making, without);
      return made;
    });
  });
}

interface Making {
  readonly repository: Repository;
  /** What all worktrees of the repository share. */
  readonly shared: RootedPath;
  readonly at: RootedPath;
  readonly branch: string | undefined;
  /** Where no branch is to be checked out. */
  readonly detachedAt: string | undefined;
  readonly context: BlockContext;
}

/** Leaves the path free, unless the worktree is there. */
async function isThereAlready(making: Making): Promise<boolean> {
  const { repository, at, branch, detachedAt, context } = making;
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
  if (known.branch === branch && (branch !== undefined || known.commit === detachedAt))
    return !(await isLeftEmpty(making)) || removeHalfMade(making);
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
  readonly args: readonly string[];
  readonly commit: string;
  readonly isNewBranch: boolean;
}

async function findStart(repository: Repository, { branch, base_branch, commit: wanted }: Inputs): Promise<Start> {
  const ref = `refs/heads/${branch}`;
  const found = branch === undefined ? undefined : await findCommit(repository, ref);
  if (branch !== undefined && found !== undefined) {
    if (wanted !== undefined && found !== (await findCommit(repository, wanted))) {
      throw new OperationFailed(`the branch '${branch}' is at ${found}, not at ${wanted}`);
    }
    return { args: ["--", ".", branch], commit: found, isNewBranch: false };
  }
  const base = wanted ?? base_branch;
  const commit = await findCommit(repository, base ?? "HEAD");
  if (commit === undefined) {
    const isMissing = `there is no branch, tag or commit '${base}' for the new branch to begin at`;
    throw new OperationFailed(
      base === undefined ? "the repository has no commit yet that a branch could begin at" : isMissing,
    );
  }
  // A branch that begins at one of a remote would follow it, and be pushed there.
  const options = branch === undefined ? ["--detach"] : ["--no-track", "-b", branch];
  return { args: [...options, "--", ".", commit], commit, isNewBranch: branch !== undefined };
}

async function findCommit(repository: Repository, name: string): Promise<string | undefined> {
  const options = ["--verify", "--quiet", "--end-of-options"];
  const { succeeded, stdout } = await repository.ask("rev-parse", ...options, `${name}^{commit}`);
  return succeeded ? stdout.trim() : undefined;
}

/** Files of the commit that nobody has changed since they were checked out. */
async function leaveOut(
  { repository, shared, at, context: { files } }: Making,
  without: readonly string[],
): Promise<void> {
  if (without.length === 0) return;
  const gitDirectory = await gitDirectoryOf(files, at, shared);
  if (gitDirectory === undefined) throw new OperationFailed(`'${shownPath(at)}' was replaced while it was made`);
  const ask = async (...args: readonly string[]): Promise<ReadonlySet<string>> => {
    const answer = await repository.askIn({ at, gitDirectory: absolutePath(gitDirectory) }, ...args);
    if (!answer.succeeded) throw new OperationFailed(`git ${args[0]}: ${answer.complaint}`);
    return new Set(answer.stdout.split("\0"));
  };
  const changed = await ask("diff-index", "--name-only", "-z", "--no-renames", "HEAD");
  for (const path of without) {
    const known = await ask("--literal-pathspecs", "ls-files", "-z", "--", path);
    if (known.has(path) && !changed.has(path)) await files.removeEmpty(childOf(at, path));
  }
}

/**
 * In a directory of ours that git is started in, and never looks for by its path: whatever is put in its place meanwhile, nothing
 * is written elsewhere. Git does so only when it makes the worktree and fills it in two steps.
 */
async function add({ repository, shared, at, context }: Making, { args }: Start, outputs: ValueMap): Promise<void> {
  const { files } = context;
  const parents = await planParents(files, at, true);
  const made: RootedPath[] = parents.map((change) => ("at" in change ? change.at : at)).reverse();
  try {
    // Also where there are none to be made: it announces what is going to be done.
    orFail((await files.change(parents, outputs, { rerun: "always" })) ?? {});
    const problem = await files.makeEmpty(at);
    // An empty one will do.
    if (problem?.kind !== "exists") {
      orFail(problem ?? {});
      made.unshift(at);
    }
    const worktree = { at, gitDirectory: absolutePath(shared) };
    await repository.change(["worktree", "add", "--no-checkout", ...args], { worktree });
  } catch (error) {
    for (const directory of made) await files.removeEmpty(directory);
    throw error;
  }
  const gitDirectory = await gitDirectoryOf(files, at, shared);
  if (gitDirectory === undefined) throw new OperationFailed(`'${shownPath(at)}' was replaced while it was made`);
  await repository.change(["checkout", "--force"], { worktree: { at, gitDirectory: absolutePath(gitDirectory) } });
}
