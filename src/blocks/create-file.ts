import * as z from "zod";
import {
  BlockCannotRun,
  type BlockContext,
  type BlockResult,
  type BlockType,
  type InputProblem,
  type WrittenInputs,
} from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import { absolutePath, shownPath } from "../block/rooted-path.ts";
import { exclusively, isSameFile, lookForFile, planParents, refuseDirectoryName } from "./files/entries.ts";
import { fileMode, parseFileMode } from "./files/file-mode.ts";
import { makeChanges, OperationFailed, settleOperation } from "./files/file-operation.ts";
import { createParentsInput, otherPathNames, pathInput, unsafeInput } from "./files/path-inputs.ts";
import { decodeBase64, encodeText, encodingInput } from "./files/text-encoding.ts";
import { textInput } from "./text-input.ts";

const inputs = () =>
  z.strictObject({
    path: pathInput("The file"),
    content: textInput().describe("What the file is to hold, written exactly so"),
    encoding: encodingInput("How the text becomes bytes, or base64 when the content is base64 of them", "base64"),
    mode: fileMode()
      .optional()
      .describe("Permissions as octal digits, like 644; default: those it has, or what the umask leaves of 666"),
    permissions: fileMode().optional().describe("The same as mode"),
    overwrite: z.boolean().default(true).describe("false: a file that exists is a failure"),
    create_parents: createParentsInput(),
    unsafe: unsafeInput(),
  });

const outputs = () =>
  z.strictObject({
    path: z.string().describe("Absolute path of the file"),
    size_bytes: z.number().int().describe("Bytes in it"),
    created: z.boolean().describe("true when there was no such file before"),
    sha256: z.string().describe("Hash of its bytes, in hexadecimal digits; withheld when a secret is among them"),
  });

const defaultOutputs = { path: "", size_bytes: 0, created: false, sha256: "" };

export const createFile: BlockType = defineLeaf({
  type: "CreateFile",
  summary: "Writes a file as a whole; makes the directories on the way to it.",
  inputs,
  outputs,
  otherNames: { ...otherPathNames, text: "content", body: "content", data: "content" },
  defaultOutputs,
  capabilities: ["writes files"],
  undo: "automatic",
  onInterrupted: "rerun",
  writes: { path: "path", content: ["content"] },
  check: checkModes,
  run,
});

type Inputs = InputsOf<typeof inputs>;

function checkModes({ mode, permissions }: WrittenInputs): InputProblem[] {
  if (mode === undefined || permissions === undefined) return [];
  const message = "mode and permissions are two names for the same.";
  return [{ code: "two-modes", level: "error", message, fix: "Remove one of them.", input: "permissions" }];
}

async function run(input: Inputs, context: BlockContext): Promise<BlockResult> {
  const { files } = context;
  const content = String(input.content);
  const bytes = input.encoding === "base64" ? decodeBase64(content) : encodeText(content, input.encoding);
  if (!bytes.ok) throw new BlockCannotRun(`The content ${bytes.error}.`);
  refuseDirectoryName(input.path);
  const at = files.locateForChange(input.path, input.unsafe);
  const written = input.mode ?? input.permissions;
  const file = { bytes: bytes.value, ...(written === undefined ? {} : { mode: parseFileMode(written) }) };
  const path = absolutePath(at);
  return settleOperation({ ...defaultOutputs, path }, () =>
    exclusively(files, [at], async () => {
      const found = await lookForFile(files, at);
      if (found.kind === "file" && !input.overwrite) {
        throw new OperationFailed(`'${shownPath(at)}' exists already, and overwrite is false`);
      }
      const changes = (await isSameFile(files, at, file))
        ? []
        : [...(await planParents(files, at, input.create_parents)), { kind: "write", at, ...file } as const];
      const size = file.bytes.length;
      const created = found.kind === "missing";
      const sha256 = files.fingerprint(file.bytes);
      return makeChanges(context, changes, { path, size_bytes: size, created, sha256 });
    }),
  );
}
