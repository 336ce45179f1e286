import * as z from "zod";
import type { FileChange } from "../block/block-files.ts";
import type { BlockContext, BlockResult, BlockType } from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import { absolutePath, shownPath } from "../block/rooted-path.ts";
import { exclusively, lookAt, planParents } from "./files/entries.ts";
import { makeChanges, OperationFailed, settleOperation } from "./files/file-operation.ts";
import { otherPathNames, pathInput, unsafeInput } from "./files/path-inputs.ts";

const inputs = () =>
  z.strictObject({
    path: pathInput("The directory"),
    parents: z.boolean().default(true).describe("Make the directories on the way to it that are missing"),
    unsafe: unsafeInput(),
  });

const outputs = () =>
  z.strictObject({
    path: z.string().describe("Absolute path of the directory"),
    created: z.boolean().describe("false when it was there already"),
  });

const defaultOutputs = { path: "", created: false };

export const makeDir: BlockType = defineLeaf({
  type: "MakeDir",
  summary: "Makes a directory; one that is there already is fine.",
  inputs,
  outputs,
  defaultOutputs,
  droppedInputs: {
    exist_ok: "Remove it: a directory that is there already is a success with `created: false`.",
  },
  otherNames: { ...otherPathNames, create_parents: "parents", recursive: "parents" },
  capabilities: ["writes files"],
  undo: "automatic",
  onInterrupted: "rerun",
  run,
});

type Inputs = InputsOf<typeof inputs>;

async function run(input: Inputs, context: BlockContext): Promise<BlockResult> {
  const { files } = context;
  const at = files.locate(input.path, input.unsafe);
  const path = absolutePath(at);
  return settleOperation({ ...defaultOutputs, path }, () =>
    exclusively(files, [at], async () => {
      const { kind } = await lookAt(files, at);
      // Only what is to be made can be out of bounds: the workspace itself is there.
      if (kind === "directory") return { path, created: false };
      const allowed = files.locateForChange(input.path, input.unsafe);
      if (kind === "file") throw new OperationFailed(`'${shownPath(at)}' is a file, not a directory`);
      const parents = await planParents(files, allowed, input.parents);
      const changes: FileChange[] = [...parents, { kind: "make-directory", at: allowed }];
      return makeChanges(context, changes, { path, created: true });
    }),
  );
}
