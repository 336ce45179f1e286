import * as z from "zod";
import type { BlockContext, BlockResult, BlockType } from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import { OperationFailed, settleOperation } from "./files/file-operation.ts";
import { pathInput, unsafeInput } from "./files/path-inputs.ts";
import { absolutePath, lookAt, shownPath } from "./files/places.ts";
import { Repository } from "./git/repository.ts";
import { repoInput } from "./git/worktree-inputs.ts";
import { listWorktrees, refuseControlCharacters } from "./git/worktrees.ts";

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
  undo: "automatic",
  onInterrupted: "rerun",
  run,
});

type Inputs = InputsOf<typeof inputs>;

async function run({ path, force, repo, unsafe }: Inputs, context: BlockContext): Promise<BlockResult> {
  const { files } = context;
  refuseControlCharacters(path);
  const place = files.locateForChange(path, unsafe);
  const untouched = { ...defaultOutputs, worktree_path: absolutePath(place) };
  return settleOperation(untouched, async () => {
    const repository = await Repository.open(context, files.locate(repo, unsafe));
    return files.exclusively(await repository.sharedPlace(), async () => {
      const { kind } = await lookAt(files, place);
      const known = (await listWorktrees(repository)).find((worktree) => worktree.path === untouched.worktree_path);
      if (known === undefined && kind === "missing") return untouched;
      if (known === undefined || known.isMain) {
        const what = known === undefined ? "not a worktree of this repository" : "the repository's main worktree";
        throw new OperationFailed(`'${shownPath(place)}' is ${what}`);
      }
      if (known.locked !== undefined) {
        const reason = known.locked === "" ? "" : ` (${known.locked})`;
        throw new OperationFailed(`'${shownPath(place)}' is locked${reason}; \`git worktree unlock\` unlocks it`);
      }
      await repository.change("worktree", "remove", ...(force ? ["--force"] : []), "--", known.path);
      return { ...untouched, branch: known.branch ?? "", removed: true };
    });
  });
}
