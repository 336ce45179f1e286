import * as z from "zod";
import type { BlockFiles, FileChange } from "../block/block-files.ts";
import { BlockCannotRun, type BlockContext, type BlockResult, type BlockType } from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import type { FileState, RootedPath } from "../block/ports.ts";
import { absolutePath, childOf, shownPath } from "../block/rooted-path.ts";
import { exclusively, isSameFile, lookAt, planParents, refuseDirectoryName } from "./files/entries.ts";
import { makeChanges, OperationFailed, orFail, settleOperation } from "./files/file-operation.ts";
import { createParentsInput, pathInput, unsafeInput } from "./files/path-inputs.ts";
import { namesElsewhere, overwriteInput, refuseOccupied, refuseOwnPlace } from "./files/transfer.ts";
import { mostBytesOfTree, refuseLargeTree, type TreeEntry, walkTree } from "./files/walk-tree.ts";

const inputs = () =>
  z.strictObject({
    from: pathInput("What is copied, no link and 100 MB at most"),
    to: pathInput("Where it goes, with its new name"),
    overwrite: overwriteInput(),
    create_parents: createParentsInput(),
    recursive: z
      .boolean()
      .default(false)
      .describe("Copy a directory with everything in it, 10,000 entries and 100 MB at most, without links"),
    unsafe: unsafeInput(),
  });

const outputs = () =>
  z.strictObject({
    path: z.string().describe("Absolute path of the copy"),
  });

const defaultOutputs = { path: "" };

export const copyFile: BlockType = defineLeaf({
  type: "CopyFile",
  summary: "Copies a file or a directory; with permissions, and with everything in it.",
  inputs,
  outputs,
  defaultOutputs,
  otherNames: namesElsewhere,
  capabilities: ["reads files", "writes files"],
  undo: "automatic",
  onInterrupted: "rerun",
  writes: { path: "to", content: ["from"] },
  run,
});

type Inputs = InputsOf<typeof inputs>;

async function run(input: Inputs, context: BlockContext): Promise<BlockResult> {
  const { files } = context;
  const from = files.locate(input.from, input.unsafe);
  const to = files.locateForChange(input.to, input.unsafe);
  return settleOperation(defaultOutputs, () =>
    exclusively(files, [from, to], async () => {
      const { kind } = await lookAt(files, from);
      if (kind === "missing") throw new OperationFailed(`'${shownPath(from)}' does not exist`);
      if (kind === "directory" && !input.recursive) {
        throw new OperationFailed(
          `'${shownPath(from)}' is a directory; \`recursive: true\` copies it with what is in it`,
        );
      }
      if (kind !== "directory") refuseDirectoryName(input.to);
      refuseOwnPlace(from, to);
      const parents = await planParents(files, to, input.create_parents);
      const copies = await planCopies(from, to, input, context);
      return makeChanges(context, [...parents, ...copies], { path: absolutePath(to) });
    }),
  );
}

async function planCopies(
  from: RootedPath,
  to: RootedPath,
  { overwrite }: Inputs,
  context: BlockContext,
): Promise<FileChange[]> {
  const { files } = context;
  const entries = await walkTree(context, from);
  refuseLargeTree(from, entries);
  const changes: FileChange[] = [];
  let bytesLeft = mostBytesOfTree;
  for (const entry of entries) {
    const target = files.locateForChange(absolutePath(counterpart(entry.at, from, to)), true);
    const change =
      entry.state.kind === "directory"
        ? await planDirectory(files, target)
        : await planFile(files, entry, target, { overwrite, mostBytes: bytesLeft });
    // What is the same already needs no change, so that an interrupted copy can be made again.
    if (change === undefined) continue;
    if (change.kind === "write" && change.bytes instanceof Uint8Array) bytesLeft -= change.bytes.length;
    changes.push(change);
  }
  return changes;
}

async function planDirectory(files: BlockFiles, target: RootedPath): Promise<FileChange | undefined> {
  if ((await lookAt(files, target)).kind === "directory") return undefined;
  await refuseOccupied(files, target, "directory", false);
  return { kind: "make-directory", at: target };
}

async function planFile(
  files: BlockFiles,
  { at, state }: TreeEntry,
  target: RootedPath,
  { overwrite, mostBytes }: { readonly overwrite: boolean; readonly mostBytes: number },
): Promise<FileChange | undefined> {
  refuseUncopiable(at, state);
  const copy = orFail(await files.read(at, mostBytes));
  if (await isSameFile(files, target, copy)) return undefined;
  await refuseOccupied(files, target, "file", overwrite);
  return { kind: "write", at: target, ...copy };
}

function refuseUncopiable(at: RootedPath, { kind }: FileState): void {
  if (kind === "link") throw new BlockCannotRun(`'${shownPath(at)}' is a symbolic link, and links are not copied`);
  if (kind === "other") throw new BlockCannotRun(`'${shownPath(at)}' is neither a file nor a directory`);
}

function counterpart(at: RootedPath, from: RootedPath, to: RootedPath): RootedPath {
  const below = at.path.slice(from.path.length).replace(/^\//, "");
  return below === "" ? to : childOf(to, below);
}
