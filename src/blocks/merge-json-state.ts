import * as z from "zod";
import type { BlockFiles } from "../block/block-files.ts";
import type { BlockContext, BlockResult, BlockType } from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import type { RootedPath } from "../block/ports.ts";
import { absolutePath, shownPath } from "../block/rooted-path.ts";
import { describeValue } from "../expression/format-value.ts";
import { isMap, type ValueMap } from "../expression/value.ts";
import { exclusively, lookForFile, refuseDirectoryName } from "./files/entries.ts";
import { makeChanges, OperationFailed, settleOperation } from "./files/file-operation.ts";
import { otherPathNames, pathInput, unsafeInput } from "./files/path-inputs.ts";
import { planFile } from "./files/plan-file.ts";
import { encodeJson, readJsonFile } from "./json/json-file.ts";
import { mapInput } from "./json/map-input.ts";
import { mergeValues } from "./json/merge-values.ts";
import { findLossyNumber } from "./json/parse-json.ts";

const inputs = () =>
  z.strictObject({
    path: pathInput("The JSON file, 10 MB at most"),
    updates: mapInput().describe(
      "Merged into what the file holds, map by map at every depth; lists are replaced, and null is a value like any other",
    ),
    create_if_missing: z
      .boolean()
      .default(true)
      .describe("Make the file, and the directories on the way to it; false: a missing file is a failure"),
    unsafe: unsafeInput(),
  });

const outputs = () =>
  z.strictObject({
    path: z.string().describe("Absolute path of the file"),
    created: z.boolean().describe("true when there was no such file before"),
    merged_data: z.unknown().describe("What the file holds now, as a value"),
  });

const defaultOutputs = { path: "", created: false, merged_data: null };

export const mergeJsonState: BlockType = defineLeaf({
  type: "MergeJSONState",
  summary: "Merges a map into a JSON file; blocks that merge into the same file at the same time lose nothing.",
  inputs,
  outputs,
  otherNames: { ...otherPathNames, data: "updates", content: "updates", values: "updates", state: "updates" },
  defaultOutputs,
  capabilities: ["reads files", "writes files", "state"],
  undo: "automatic",
  onInterrupted: "rerun",
  writes: { path: "path", content: ["updates"] },
  run,
});

type Inputs = InputsOf<typeof inputs>;

async function run(input: Inputs, context: BlockContext): Promise<BlockResult> {
  const { files } = context;
  refuseDirectoryName(input.path);
  const at = files.locateForChange(input.path, input.unsafe);
  const path = absolutePath(at);
  return settleOperation({ ...defaultOutputs, path }, () =>
    exclusively(files, [at], async () => {
      const old = await readOld(files, at);
      if (old === undefined && !input.create_if_missing) {
        throw new OperationFailed(`the file '${shownPath(at)}' does not exist`);
      }
      const merged = mergeValues(old ?? {}, input.updates as ValueMap);
      const changes = await planFile(files, at, encodeJson(merged, at), true);
      return makeChanges(context, changes, { path, created: old === undefined, merged_data: merged });
    }),
  );
}

/** Nothing when there is no such file yet. */
async function readOld(files: BlockFiles, at: RootedPath): Promise<ValueMap | undefined> {
  if ((await lookForFile(files, at)).kind === "missing") return undefined;
  const { text, value } = await readJsonFile(files, at);
  if (!isMap(value)) {
    throw new OperationFailed(`'${shownPath(at)}' holds ${describeValue(value)}, and only a map can be merged into`);
  }
  const lossy = findLossyNumber(text);
  if (lossy === undefined) return value;
  throw new OperationFailed(`'${shownPath(at)}' holds the number ${lossy}, which would lose digits when written again`);
}
