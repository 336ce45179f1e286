import * as z from "zod";
import type { BlockFiles } from "../block/block-files.ts";
import type { BlockContext, BlockResult, BlockType, Compensation } from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import type { RootedPath } from "../block/ports.ts";
import { absolutePath, childOf, shownPath } from "../block/rooted-path.ts";
import type { ValueMap } from "../expression/value.ts";
import { lookAt } from "./files/entries.ts";
import { OperationFailed, orFail, settleOperation } from "./files/file-operation.ts";
import { pathInput, unsafeInput } from "./files/path-inputs.ts";
import { findUncommitted, statusOptions, type Uncommitted } from "./git/keep-uncommitted.ts";
import { RefStore } from "./git/ref-store.ts";
import { Repository } from "./git/repository.ts";
import { gitName, repoInput } from "./git/worktree-inputs.ts";
import {
  dropWorktree,
  gitDirectoryOf,
  listWorktrees,
  refuseControlCharacters,
  type Worktree,
} from "./git/worktrees.ts";

const inputs = () =>
  z.strictObject({
    path: pathInput("The worktree's directory"),
    force: z
      .boolean()
      .default(false)
      .describe("Remove it even if there are changes in it that are not committed; undo brings them back"),
    without: z.array(z.string().min(1)).default([]).describe("Files of the commit that may be missing all the same"),
    delete_branch: z
      .strictObject({ name: gitName(), at: gitName() })
      .optional()
      .describe("Its branch, to be deleted as well if it is still at this commit; else nothing is removed"),
    repo: repoInput(),
    unsafe: unsafeInput(),
  });

const outputs = () =>
  z.strictObject({
    worktree_path: z.string().nullable().describe("Absolute path of the worktree; null when the block did not run"),
    branch: z.string().describe("The branch that was checked out there, which stays"),
    removed: z.boolean().describe("false when there was nothing to remove"),
    commit: z.string().describe("What was checked out there; empty when there was nothing"),
    deleted_branch: z.boolean().describe("Whether delete_branch has deleted it"),
    changed: z
      .array(z.string())
      .describe("Files of the commit that were not as committed, by their paths in the worktree"),
    repo: z.string().describe("Absolute path of the repository's directory"),
  });

const nothingRemoved = { branch: "", removed: false, commit: "", deleted_branch: false, changed: [], repo: "" };
const defaultOutputs = { worktree_path: null, ...nothingRemoved };

export const removeWorktree: BlockType = defineLeaf({
  type: "RemoveWorktree",
  summary: "Removes a worktree of a git repository with its directory; its branch stays. A missing one is fine.",
  inputs,
  outputs,
  defaultOutputs,
  capabilities: ["commands", "writes files"],
  undo: "automatic",
  compensation,
  onInterrupted: "rerun",
  run,
});

type Inputs = InputsOf<typeof inputs>;
type Outputs = InputsOf<typeof outputs>;

/** Where it was, as it was. What was not committed there was removed as changes of files, which are taken back after this. */
function compensation({ unsafe }: ValueMap, outputs: ValueMap): Compensation | undefined {
  const { worktree_path: path, branch, commit, changed, repo, removed } = outputs as Outputs;
  if (!removed || commit === "") return undefined;
  const what = branch === "" ? { commit } : { branch, commit };
  const inputs = { path: path ?? "", ...what, without: changed, repo, unsafe: unsafe === true };
  return { type: "CreateWorktree", inputs };
}

async function run(input: Inputs, context: BlockContext): Promise<BlockResult> {
  const { path, repo, unsafe } = input;
  const { files } = context;
  refuseControlCharacters(path);
  const at = files.locateForChange(path, unsafe);
  const place = files.locate(repo, unsafe);
  const untouched = { ...nothingRemoved, worktree_path: absolutePath(at), repo: absolutePath(place) };
  return settleOperation(untouched, async () => {
    const repository = await Repository.open(context, place);
    const shared = await repository.sharedPlace();
    return files.exclusively(shared, async () => {
      const { kind } = await lookAt(files, at);
      const known = (await listWorktrees(repository)).find((worktree) => worktree.path === untouched.worktree_path);
      const deleteBranch = await prepareToDelete(input, known, await RefStore.open(context, shared));
      if (known === undefined && kind === "missing") return { ...untouched, deleted_branch: await deleteBranch() };
      if (known === undefined || known.isMain) {
        const what = known === undefined ? "not a worktree of this repository" : "the repository's main worktree";
        throw new OperationFailed(`'${shownPath(at)}' is ${what}`);
      }
      if (known.locked !== undefined) {
        const reason = known.locked === "" ? "" : ` (${known.locked})`;
        throw new OperationFailed(`'${shownPath(at)}' is locked${reason}; \`git worktree unlock\` unlocks it`);
      }
      const isThere = kind !== "missing";
      const { changes, changed } = isThere ? await findUnsaved(repository, files, at, shared, input) : nothingUnsaved;
      const commit = isThere ? (known.commit ?? "") : "";
      const isDeleted = input.delete_branch !== undefined;
      const done = {
        ...untouched,
        branch: known.branch ?? "",
        removed: true,
        commit,
        changed,
        deleted_branch: isDeleted,
      };
      // Also where there are none: it announces what is going to be done.
      orFail((await files.change(changes, done, { rerun: "always" })) ?? {});
      await dropWorktree(repository, files, at, known.path);
      return { ...done, deleted_branch: await deleteBranch() };
    });
  });
}

/** Refuses now, as long as nothing has been removed, and else tells how. */
async function prepareToDelete(
  { path, delete_branch: wanted }: Inputs,
  worktree: Worktree | undefined,
  refs: RefStore,
): Promise<() => Promise<boolean>> {
  if (wanted === undefined) return async () => false;
  const ref = `refs/heads/${wanted.name}`;
  if (worktree !== undefined && worktree.branch !== wanted.name) {
    throw new OperationFailed(`'${path}' has something else checked out than the branch '${wanted.name}'`);
  }
  const found = await refs.read(ref);
  if (found !== null && found !== wanted.at) {
    throw new OperationFailed(`the branch '${wanted.name}' has moved, from ${wanted.at} to ${found}`);
  }
  return async () => {
    if (found === null) return false;
    const user = await refs.worktreeOn(ref);
    const problem = user === undefined ? await refs.move(ref, found, null) : `it is checked out in '${user}'`;
    if (problem !== undefined) throw new OperationFailed(`the branch '${wanted.name}' can't be deleted: ${problem}`);
    return true;
  };
}

const nothingUnsaved: Uncommitted = { changes: [], changed: [] };

/** Refused as `git worktree remove` does, in the directory itself rather than by its path. */
async function findUnsaved(
  repository: Repository,
  files: BlockFiles,
  at: RootedPath,
  shared: RootedPath,
  { force, without }: Inputs,
): Promise<Uncommitted> {
  const gitDirectory = await gitDirectoryOf(files, at, shared);
  if (gitDirectory === undefined) {
    throw new OperationFailed(`'${shownPath(at)}' is not the directory that git has made for this worktree`);
  }
  const way = "`force: true` removes it anyway";
  if (!force && (await files.look(childOf(gitDirectory, "modules"))).kind !== "missing") {
    throw new OperationFailed(`'${shownPath(at)}' contains submodules; ${way}`);
  }
  const status = await repository.askIn({ at, gitDirectory: absolutePath(gitDirectory) }, ...statusOptions);
  if (!status.succeeded) throw new OperationFailed(`git status: ${status.complaint}`);
  const unsaved = await findUncommitted(files, at, status);
  const isForeseen = unsaved.changes.length === 0 && unsaved.changed.every((path) => without.includes(path));
  if (force || isForeseen) return unsaved;
  throw new OperationFailed(`'${shownPath(at)}' contains modified or untracked files; ${way}`);
}
