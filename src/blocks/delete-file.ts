import * as z from "zod";
import type { FileChange } from "../block/block-files.ts";
import type { BlockContext, BlockResult, BlockType } from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import type { RootedPath } from "../block/ports.ts";
import { absolutePath, shownPath } from "../block/rooted-path.ts";
import type { ValueMap } from "../expression/value.ts";
import { exclusively, lookAtEntry } from "./files/entries.ts";
import { makeChanges, OperationFailed, settleOperation } from "./files/file-operation.ts";
import { otherPathNames, pathInput, unsafeInput } from "./files/path-inputs.ts";
import { refuseLargeTree, refuseProtected, walkTree } from "./files/walk-tree.ts";

const inputs = () =>
  z.strictObject({
    path: pathInput("What is deleted"),
    recursive: z
      .boolean()
      .default(false)
      .describe("Delete a directory with everything in it, 10,000 entries and 100 MB at most"),
    missing_ok: z.boolean().default(false).describe("true: a missing file is a success with deleted: false"),
    unsafe: unsafeInput(),
  });

const outputs = () =>
  z.strictObject({
    path: z.string().describe("Absolute path of what was deleted"),
    deleted: z.boolean().describe("false when there was nothing to delete"),
  });

const defaultOutputs = { path: "", deleted: false };

export const deleteFile: BlockType = defineLeaf({
  type: "DeleteFile",
  summary: "Deletes a file, or a directory with everything in it; of a link, the link itself.",
  inputs,
  outputs,
  otherNames: otherPathNames,
  defaultOutputs,
  droppedInputs: {
    force: "Write `missing_ok: true`.",
    ignore_missing: "Write `missing_ok: true`.",
  },
  capabilities: ["writes files"],
  undo: "automatic",
  onInterrupted: "rerun",
  run,
});

type Inputs = InputsOf<typeof inputs>;

async function run(input: Inputs, context: BlockContext): Promise<BlockResult> {
  const { files } = context;
  const at = files.locateForChange(input.path, input.unsafe);
  const path = absolutePath(at);
  const untouched = { ...defaultOutputs, path };
  return settleOperation(untouched, () =>
    exclusively(files, [at], async (): Promise<ValueMap> => {
      const { kind } = await lookAtEntry(files, at);
      if (kind === "missing") {
        if (input.missing_ok) return untouched;
        throw new OperationFailed(`'${shownPath(at)}' does not exist`);
      }
      const changes: FileChange[] =
        kind === "directory" ? await planTree(at, input, context) : [{ kind: "remove", at }];
      return makeChanges(context, changes, { path, deleted: true });
    }),
  );
}

async function planTree(at: RootedPath, { recursive }: Inputs, context: BlockContext): Promise<FileChange[]> {
  if (!recursive) {
    throw new OperationFailed(`'${shownPath(at)}' is a directory; \`recursive: true\` deletes it with what is in it`);
  }
  const entries = await walkTree(context, at);
  refuseProtected(context, entries);
  refuseLargeTree(at, entries);
  return entries.toReversed().map((entry) => ({ kind: "remove", at: entry.at }));
}
