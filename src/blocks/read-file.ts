import * as z from "zod";
import type { BlockContext, BlockResult, BlockType } from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import type { FileProblem, RootedPath } from "../block/ports.ts";
import { absolutePath, shownPath } from "../block/rooted-path.ts";
import { lookForFile } from "./files/entries.ts";
import { OperationFailed, orFail, settleOperation } from "./files/file-operation.ts";
import { otherPathNames, pathInput, unsafeInput } from "./files/path-inputs.ts";
import { decodeText, encodingInput } from "./files/text-encoding.ts";

const mostMegabytes = 100;

const inputs = () =>
  z.strictObject({
    path: pathInput("The file"),
    mode: z.enum(["text", "binary"]).default("text").describe("binary: the content is base64 of the bytes"),
    encoding: encodingInput("How the bytes become text"),
    required: z.boolean().default(true).describe("false: a missing file is a success with found: false"),
    max_size_mb: z
      .number()
      .positive()
      .max(mostMegabytes)
      .default(10)
      .describe(`A larger file is a failure; 1 MB is 1,000,000 bytes. ${mostMegabytes} at most`),
    unsafe: unsafeInput(),
  });

const outputs = () =>
  z.strictObject({
    content: z.string().describe("What the file holds; empty when it is missing"),
    path: z.string().describe("Absolute path of the file"),
    size_bytes: z.number().int().describe("Bytes in it"),
    found: z.boolean().describe("Whether there is such a file, even if it can't be read as asked; a directory is none"),
    sha256: z.string().describe("Hash of its bytes, in hexadecimal digits; withheld when a secret is among them"),
  });

const defaultOutputs = { content: "", path: "", size_bytes: 0, found: false, sha256: "" };

export const readFile: BlockType = defineLeaf({
  type: "ReadFile",
  summary: "Reads a file into an output; as text, or as base64.",
  inputs,
  outputs,
  otherNames: otherPathNames,
  defaultOutputs,
  stateOutputs: { found: true },
  capabilities: ["reads files"],
  undo: "not_needed",
  onInterrupted: "rerun",
  run,
});

type Inputs = InputsOf<typeof inputs>;

async function run(input: Inputs, context: BlockContext): Promise<BlockResult> {
  const { files } = context;
  const at = files.locate(input.path, input.unsafe);
  const known = { ...defaultOutputs, path: absolutePath(at) };
  return settleOperation(known, async () => {
    known.found = (await lookForFile(files, at)).kind === "file";
    if (!known.found) {
      if (!input.required) return known;
      throw new OperationFailed(`the file '${shownPath(at)}' does not exist`);
    }
    const { bytes } = orFail(withRemedy(await files.read(at, Math.floor(input.max_size_mb * 1_000_000)), input));
    return {
      ...known,
      content: readContent(bytes, input, at),
      size_bytes: bytes.length,
      sha256: files.fingerprint(bytes),
    };
  });
}

function withRemedy<T extends object>(read: T | FileProblem, { max_size_mb: most }: Inputs): T | FileProblem {
  if (!("kind" in read) || read.kind !== "too-large" || most >= mostMegabytes) return read;
  return { ...read, message: `${read.message}; \`max_size_mb\` can allow more` };
}

function readContent(bytes: Uint8Array, { mode, encoding }: Inputs, at: RootedPath): string {
  if (mode === "binary") return Buffer.from(bytes).toString("base64");
  const text = decodeText(bytes, encoding);
  if (text.ok) return text.value;
  throw new OperationFailed(`'${shownPath(at)}' ${text.error}; use \`mode: binary\` or \`encoding: latin-1\``);
}
