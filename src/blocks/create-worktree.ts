import * as z from "zod";
import type { BlockContext, BlockResult, BlockType } from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import type { FilePlace } from "../block/ports.ts";
import { OperationFailed, orFail, settleOperation } from "./files/file-operation.ts";
import { pathInput, unsafeInput } from "./files/path-inputs.ts";
import { absolutePath, lookAt, shownPath } from "./files/places.ts";
import { Repository } from "./git/repository.ts";
import { gitName, repoInput } from "./git/worktree-inputs.ts";
import { listWorktrees, refuseBadBranchName, refuseControlCharacters, type Worktree } from "./git/worktrees.ts";

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
  undo: "automatic",
  onInterrupted: "rerun",
  run,
});

type Inputs = InputsOf<typeof inputs>;

async function run(input: Inputs, context: BlockContext): Promise<BlockResult> {
  const { files } = context;
  const { branch, unsafe } = input;
  refuseControlCharacters(input.path);
  const place = files.locateForChange(input.path, unsafe);
  const made = { worktree_path: absolutePath(place), branch, created: false };
  return settleOperation(made, async () => {
    const repository = await Repository.open(context, files.locate(input.repo, unsafe));
    const shared = await repository.sharedPlace();
    await refuseBadBranchName(repository, branch);
    return files.exclusively(shared, async () => {
      if (await isThereAlready(repository, place, branch, context)) return made;
      await add(repository, made.worktree_path, input);
      return { ...made, created: true };
    });
  });
}

/** Leaves the place free, unless the worktree is there. */
async function isThereAlready(
  repository: Repository,
  place: FilePlace,
  branch: string,
  context: BlockContext,
): Promise<boolean> {
  const path = absolutePath(place);
  const { kind } = await lookAt(context.files, place);
  const known = (await listWorktrees(repository)).find((worktree) => worktree.path === path);
  if (known === undefined) {
    const isFree = kind === "missing" || (kind === "directory" && orFail(await context.files.list(place)).length === 0);
    if (!isFree)
      throw new OperationFailed(`'${shownPath(place)}' exists already, and is not a worktree of this repository`);
    return false;
  }
  // Its directory was removed without git's knowing.
  if (kind === "missing") {
    await repository.change("worktree", "remove", "--force", "--", path);
    return false;
  }
  if (isHalfMade(known)) return removeHalfMade(repository, place, context);
  if (known.branch === branch) return true;
  const what = known.branch === undefined ? "without a branch" : `of the branch '${known.branch}'`;
  throw new OperationFailed(`'${shownPath(place)}' is a worktree already, ${what}`);
}

/** While git makes a worktree it keeps it locked with this reason. */
function isHalfMade({ locked }: Worktree): boolean {
  return locked === "initializing";
}

/** What an attempt of ours left that died; it may be somebody else's work only as long as we have not tried. */
async function removeHalfMade(repository: Repository, place: FilePlace, { attempt }: BlockContext): Promise<false> {
  if (attempt === 1) {
    throw new OperationFailed(
      `'${shownPath(place)}' is being made by another git, or was left by one that was killed: \`git worktree remove -f -f\` removes it`,
    );
  }
  await repository.change("worktree", "remove", "--force", "--force", "--", absolutePath(place));
  return false;
}

async function add(repository: Repository, path: string, { branch, base_branch: base }: Inputs): Promise<void> {
  const { succeeded: exists } = await repository.ask("show-ref", "--verify", "--quiet", `refs/heads/${branch}`);
  if (exists) return repository.change("worktree", "add", "--", path, branch);
  await refuseMissingBase(repository, base);
  // A branch that begins at one of a remote would follow it, and be pushed there.
  await repository.change("worktree", "add", "--no-track", "-b", branch, "--", path, base ?? "HEAD");
}

async function refuseMissingBase(repository: Repository, base: string | undefined): Promise<void> {
  const answer = await repository.ask(
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${base ?? "HEAD"}^{commit}`,
  );
  if (answer.succeeded) return;
  const isMissing = `there is no branch, tag or commit '${base}' for the new branch to begin at`;
  throw new OperationFailed(
    base === undefined ? "the repository has no commit yet that a branch could begin at" : isMissing,
  );
}
