import * as z from "zod";
import type { BlockContext, BlockResult, BlockType } from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import { absolutePath, shownPath } from "../block/rooted-path.ts";
import { exclusively, lookAtEntry, planParents, refuseDirectoryName } from "./files/entries.ts";
import { makeChanges, OperationFailed, settleOperation } from "./files/file-operation.ts";
import { createParentsInput, pathInput, unsafeInput } from "./files/path-inputs.ts";
import { namesElsewhere, overwriteInput, refuseOccupied, refuseOwnPlace } from "./files/transfer.ts";
import { refuseProtected, walkTree } from "./files/walk-tree.ts";

const inputs = () =>
  z.strictObject({
    from: pathInput("What is moved, within one file system; a directory has 10,000 entries at most"),
    to: pathInput("Where it goes, with its new name"),
    overwrite: overwriteInput(),
    create_parents: createParentsInput(),
    unsafe: unsafeInput(),
  });

const outputs = () =>
  z.strictObject({
    path: z.string().describe("Absolute path of where it is now"),
  });

const defaultOutputs = { path: "" };

export const moveFile: BlockType = defineLeaf({
  type: "MoveFile",
  summary: "Moves or renames a file or a directory; of a link, the link itself.",
  inputs,
  outputs,
  defaultOutputs,
  otherNames: namesElsewhere,
  capabilities: ["writes files"],
  undo: "automatic",
  onInterrupted: "rerun",
  writes: { path: "to", content: ["from"] },
  run,
});

type Inputs = InputsOf<typeof inputs>;

async function run(input: Inputs, context: BlockContext): Promise<BlockResult> {
  const { files } = context;
  const from = files.locateForChange(input.from, input.unsafe);
  const to = files.locateForChange(input.to, input.unsafe);
  return settleOperation(defaultOutputs, () =>
    exclusively(files, [from, to], async () => {
      const { kind } = await lookAtEntry(files, from);
      if (kind === "missing") throw new OperationFailed(`'${shownPath(from)}' does not exist`);
      if (kind !== "directory") refuseDirectoryName(input.to);
      refuseOwnPlace(from, to);
      await refuseOccupied(files, to, kind, input.overwrite);
      if (kind === "directory") refuseProtected(context, await walkTree(context, from));
      const parents = await planParents(files, to, input.create_parents);
      return makeChanges(context, [...parents, { kind: "rename", from, to }], { path: absolutePath(to) });
    }),
  );
}
