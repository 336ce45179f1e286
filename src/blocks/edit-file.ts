import { createHash } from "node:crypto";
import * as z from "zod";
import {
  BlockCannotRun,
  type BlockContext,
  type BlockResult,
  type BlockType,
  type InputProblem,
  type Written,
  type WrittenInputs,
} from "../block/define-block.ts";
import { defineLeaf, type InputsOf } from "../block/define-leaf.ts";
import type { RootedPath } from "../block/ports.ts";
import { absolutePath, shownPath } from "../block/rooted-path.ts";
import { isList, type Value, type ValueMap } from "../expression/value.ts";
import { unifiedDiff } from "../util/unified-diff.ts";
import { editOperation, resultTooLong } from "./files/edit-operations.ts";
import { editText } from "./files/edit-text.ts";
import { exclusively, lookForFile, planParents, refuseDirectoryName } from "./files/entries.ts";
import { makeChanges, OperationFailed, orFail, settleOperation } from "./files/file-operation.ts";
import { otherPathNames, pathInput, unsafeInput } from "./files/path-inputs.ts";
import { prepareReplacement } from "./files/replace-pattern.ts";
import { decodeText, encodeText, encodingInput } from "./files/text-encoding.ts";
import { textInput } from "./text-input.ts";

const inputs = () =>
  z.strictObject({
    path: pathInput("The file, which is text of 10 MB at most"),
    operations: z
      .array(editOperation())
      .min(1)
      .optional()
      .describe("Edits, each made on what those before it have made; all of them or none"),
    content: textInput().optional().describe("What the file is to hold, instead of operations"),
    expect_sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, "must be 64 hexadecimal digits")
      .optional()
      .describe("The hash that the file must have, in hexadecimal digits; fails if somebody changed it"),
    encoding: encodingInput("How the file's bytes are text"),
    create_if_missing: z.boolean().default(false).describe("A missing file counts as an empty one"),
    dry_run: z.boolean().default(false).describe("Tells what would be changed, and changes nothing"),
    unsafe: unsafeInput(),
  });

const outputs = () =>
  z.strictObject({
    path: z.string().describe("Absolute path of the file"),
    diff: z.string().describe("What is changed, as a unified diff; empty when nothing is"),
    lines_added: z.number().int().describe("Lines with + in the diff"),
    lines_removed: z.number().int().describe("Lines with - in the diff"),
    sha256_before: z
      .string()
      .describe("Hash of the file as it was; empty when it was missing, withheld when it held a secret"),
    sha256_after: z.string().describe("Hash of the file as edited; withheld when it holds a secret"),
  });

const defaultOutputs = {
  path: "",
  diff: "",
  lines_added: 0,
  lines_removed: 0,
  sha256_before: "",
  sha256_after: "",
};

export const editFile: BlockType = defineLeaf({
  type: "EditFile",
  summary: "Edits a text file and tells what it changed; it keeps its line ends and permissions.",
  inputs,
  outputs,
  otherNames: { ...otherPathNames, text: "content" },
  defaultOutputs,
  droppedInputs: {
    atomic: "Remove it: all operations are made or none.",
    backup: "Remove it: Frond keeps what it replaces.",
  },
  capabilities: ["reads files", "writes files"],
  undo: "automatic",
  onInterrupted: "rerun",
  writes: { path: "path", content: ["content", "operations"] },
  check,
  run,
});

type Inputs = InputsOf<typeof inputs>;

function check({ operations, content }: WrittenInputs): InputProblem[] {
  if ((operations === undefined) === (content === undefined)) {
    const message =
      content === undefined ? "EditFile needs operations." : "EditFile takes either operations or content, not both.";
    const fix = content === undefined ? "Add `operations:`, or `content:` for all of it." : "Remove one of them.";
    return [{ code: "operations-or-content", level: "error", message, fix }];
  }
  return writtenOperations(operations).flatMap((written) => {
    const operation = editOperation().safeParse(written);
    if (!operation.success || operation.data.type !== "regex_replace") return [];
    const prepared = prepareReplacement(operation.data);
    if (prepared.ok) return [];
    return [{ code: "bad-pattern", level: "error" as const, message: prepared.error, input: "operations" }];
  });
}

/** Those without expressions. */
function writtenOperations(operations: Written | undefined): readonly Value[] {
  if (operations === undefined) return [];
  if (!operations.known) return (operations.items ?? []).flatMap((item) => (item.known ? [item.value] : []));
  return isList(operations.value) ? operations.value : [];
}

const mostBytes = 10_000_000;

async function run(input: Inputs, context: BlockContext): Promise<BlockResult> {
  const { files } = context;
  refuseDirectoryName(input.path);
  const at = files.locateForChange(input.path, input.unsafe);
  const path = absolutePath(at);
  return settleOperation({ ...defaultOutputs, path }, () =>
    exclusively(files, [at], async (): Promise<ValueMap> => {
      const old = await readText(at, input, context);
      const edited = await editText(old?.text ?? "", input, mostBytes, context);
      const bytes = encodeText(edited, input.encoding, old?.bytes);
      if (!bytes.ok) throw new BlockCannotRun(`The edited text ${bytes.error}.`);
      if (bytes.value.length > mostBytes) throw new OperationFailed(resultTooLong);
      const { text: diff, linesAdded, linesRemoved } = unifiedDiff({ path: at.path, before: old?.text, after: edited });
      const isSame = old?.text === edited;
      const parents = old === undefined ? await planParents(files, at, true) : [];
      const changes = input.dry_run || isSame ? [] : [...parents, { kind: "write", at, bytes: bytes.value } as const];
      return makeChanges(context, changes, {
        path,
        diff,
        lines_added: linesAdded,
        lines_removed: linesRemoved,
        sha256_before: old?.sha256 ?? "",
        sha256_after: files.fingerprint(bytes.value),
      });
    }),
  );
}

interface OldText {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly sha256: string;
}

/** Nothing when there is no file and none is needed. */
async function readText(at: RootedPath, input: Inputs, { files }: BlockContext): Promise<OldText | undefined> {
  const { kind } = await lookForFile(files, at);
  const expected = input.expect_sha256?.toLowerCase();
  if (kind === "missing") {
    if (input.create_if_missing && expected === undefined) return undefined;
    throw new OperationFailed(`the file '${shownPath(at)}' does not exist`);
  }
  const { bytes } = orFail(await files.read(at, mostBytes));
  const fingerprint = files.fingerprint(bytes);
  // Also of a file that holds a secret: who says what is expected has seen the file.
  if (expected !== undefined && createHash("sha256").update(bytes).digest("hex") !== expected) {
    throw new OperationFailed(`'${shownPath(at)}' has been changed: its hash is ${fingerprint}, not ${expected}`);
  }
  const text = decodeText(bytes, input.encoding);
  if (!text.ok) throw new OperationFailed(`'${shownPath(at)}' ${text.error}`);
  if (text.value.includes("\0")) throw new OperationFailed(`'${shownPath(at)}' is a binary file: it holds a NUL`);
  return { text: text.value, bytes, sha256: fingerprint };
}
