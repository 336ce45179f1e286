import * as z from "zod";
import type { BlockContext, BlockResult, BlockType } from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import { absolutePath, shownPath } from "../block/rooted-path.ts";
import { lookForFile } from "./files/entries.ts";
import { OperationFailed, settleOperation } from "./files/file-operation.ts";
import { otherPathNames, pathInput, unsafeInput } from "./files/path-inputs.ts";
import { readJsonFile } from "./json/json-file.ts";

const inputs = () =>
  z.strictObject({
    path: pathInput("The JSON file, 10 MB at most"),
    required: z.boolean().default(false).describe("true: a missing file is a failure"),
    unsafe: unsafeInput(),
  });

const outputs = () =>
  z.strictObject({
    data: z.unknown().describe("What the file holds, as a value; an empty map when there is no such file"),
    found: z.boolean().describe("Whether there is such a file, even if it is not JSON; a directory is none"),
    path: z.string().describe("Absolute path of the file"),
  });

const defaultOutputs = { data: null, found: false, path: "" };

export const readJsonState: BlockType = defineLeaf({
  type: "ReadJSONState",
  summary: "Reads a JSON file as a value; a missing one is an empty map unless it is required.",
  inputs,
  outputs,
  otherNames: otherPathNames,
  defaultOutputs,
  stateOutputs: { found: true },
  capabilities: ["reads files", "state"],
  undo: "not_needed",
  onInterrupted: "rerun",
  run,
});

type Inputs = InputsOf<typeof inputs>;

async function run({ path, required, unsafe }: Inputs, { files }: BlockContext): Promise<BlockResult> {
  const at = files.locate(path, unsafe);
  const known = { ...defaultOutputs, path: absolutePath(at) };
  return settleOperation(known, async () => {
    known.found = (await lookForFile(files, at)).kind === "file";
    if (known.found) return { ...known, data: (await readJsonFile(files, at)).value };
    if (required) throw new OperationFailed(`the file '${shownPath(at)}' does not exist`);
    return { ...known, data: {} };
  });
}
