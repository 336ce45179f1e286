import * as z from "zod";
import type { BlockFiles } from "../block/block-files.ts";
import type { BlockContext, BlockResult, BlockType } from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import type { RootedPath } from "../block/ports.ts";
import { absolutePath, childOf, shownPath } from "../block/rooted-path.ts";
import { lookAt } from "./files/entries.ts";
import { OperationFailed, settleOperation } from "./files/file-operation.ts";
import { pathInput, unsafeInput } from "./files/path-inputs.ts";
import { Repository } from "./git/repository.ts";
import { repoInput } from "./git/worktree-inputs.ts";
import { dropWorktree, gitDirectoryOf, listWorktrees, refuseControlCharacters } from "./git/worktrees.ts";

const inputs = () =>
  z.strictObject({
    path: pathInput("The worktree's directory"),
    force: z
      .boolean()
      .default(false)
      .describe("Remove it even if there are changes in it that are not committed, which are lost then"),
    repo: repoInput(),
    unsafe: unsafeInput(),
  });

const outputs = () =>
  z.strictObject({
    worktree_path: z.string().nullable().describe("Absolute path of the worktree; null when the block did not run"),
    branch: z.string().describe("The branch that was checked out there, which stays"),
    removed: z.boolean().describe("false when there was nothing to remove"),
  });

const defaultOutputs = { worktree_path: null, branch: "", removed: false };

export const removeWorktree: BlockType = defineLeaf({
  type: "RemoveWorktree",
  summary: "Removes a worktree of a git repository with its directory; its branch stays. A missing one is fine.",
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

async function run({ path, force, repo, unsafe }: Inputs, context: BlockContext): Promise<BlockResult> {
  const { files } = context;
  refuseControlCharacters(path);
  const at = files.locateForChange(path, unsafe);
  const untouched = { ...defaultOutputs, worktree_path: absolutePath(at) };
  return settleOperation(untouched, async () => {
    const repository = await Repository.open(context, files.locate(repo, unsafe));
    const shared = await repository.sharedPlace();
    return files.exclusively(shared, async () => {
      const { kind } = await lookAt(files, at);
      const known = (await listWorktrees(repository)).find((worktree) => worktree.path === untouched.worktree_path);
      if (known === undefined && kind === "missing") return untouched;
      if (known === undefined || known.isMain) {
        const what = known === undefined ? "not a worktree of this repository" : "the repository's main worktree";
        throw new OperationFailed(`'${shownPath(at)}' is ${what}`);
      }
      if (known.locked !== undefined) {
        const reason = known.locked === "" ? "" : ` (${known.locked})`;
        throw new OperationFailed(`'${shownPath(at)}' is locked${reason}; \`git worktree unlock\` unlocks it`);
      }
      if (kind !== "missing") await refuseUnsaved(repository, files, at, shared, force);
      await dropWorktree(repository, files, at, known.path);
      return { ...untouched, branch: known.branch ?? "", removed: true };
    });
  });
}

/** As `git worktree remove` does, in the directory itself rather than by its path. */
async function refuseUnsaved(
  repository: Repository,
  files: BlockFiles,
  at: RootedPath,
  shared: RootedPath,
  force: boolean,
): Promise<void> {
  const gitDirectory = await gitDirectoryOf(files, at, shared);
  if (gitDirectory === undefined) {
    throw new OperationFailed(`'${shownPath(at)}' is not the directory that git has made for this worktree`);
  }
  if (force) return;
  const way = "`force: true` removes it anyway";
  if ((await files.look(childOf(gitDirectory, "modules"))).kind !== "missing") {
    throw new OperationFailed(`'${shownPath(at)}' contains submodules; ${way}`);
  }
  const worktree = { at, gitDirectory: absolutePath(gitDirectory) };
  const status = await repository.askIn(worktree, "status", "--porcelain", "--ignore-submodules=none");
  if (!status.succeeded) throw new OperationFailed(`git status: ${status.complaint}`);
  if (status.stdout !== "")
    throw new OperationFailed(`'${shownPath(at)}' contains modified or untracked files; ${way}`);
}
