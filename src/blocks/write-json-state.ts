import * as z from "zod";
import type { BlockContext, BlockResult, BlockType } from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import { absolutePath } from "../block/rooted-path.ts";
import type { Value } from "../expression/value.ts";
import { exclusively, refuseDirectoryName } from "./files/entries.ts";
import { makeChanges, settleOperation } from "./files/file-operation.ts";
import { createParentsInput, otherPathNames, pathInput, unsafeInput } from "./files/path-inputs.ts";
import { planFile } from "./files/plan-file.ts";
import { encodeJson } from "./json/json-file.ts";

const inputs = () =>
  z.strictObject({
    path: pathInput("The JSON file, 10 MB at most"),
    data: z
      .unknown()
      .refine((data) => data !== undefined, "must be given")
      .describe("Any value; it replaces what the file holds"),
    create_parents: createParentsInput(),
    unsafe: unsafeInput(),
  });

const outputs = () =>
  z.strictObject({
    path: z.string().describe("Absolute path of the file"),
    size_bytes: z.number().int().describe("Bytes in it"),
  });

const defaultOutputs = { path: "", size_bytes: 0 };

export const writeJsonState: BlockType = defineLeaf({
  type: "WriteJSONState",
  summary: "Writes a value to a JSON file; its keys are in order, so the same value is always the same bytes.",
  inputs,
  outputs,
  otherNames: { ...otherPathNames, content: "data", value: "data", json: "data", state: "data" },
  defaultOutputs,
  capabilities: ["writes files", "state"],
  undo: "automatic",
  onInterrupted: "rerun",
  writes: { path: "path", content: ["data"] },
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
      const bytes = encodeJson(input.data as Value, at);
      const changes = await planFile(files, at, bytes, input.create_parents);
      return makeChanges(context, changes, { path, size_bytes: bytes.length });
    }),
  );
}
