import type { BlockFiles } from "../../block/block-files.ts";
import type { RootedPath } from "../../block/ports.ts";
import { shownPath } from "../../block/rooted-path.ts";
import type { Value } from "../../expression/value.ts";
import { OperationFailed, orFail } from "../files/file-operation.ts";
import { formatJson } from "./format-json.ts";
import { parseJson } from "./parse-json.ts";

const mostBytes = 10_000_000;

export interface JsonFile {
  readonly text: string;
  readonly value: Value;
}

/** A file that exists, as JSON. */
export async function readJsonFile(files: BlockFiles, at: RootedPath): Promise<JsonFile> {
  const { bytes } = orFail(await files.read(at, mostBytes));
  const text = decode(bytes, at);
  const parsed = parseJson(text);
  if (!parsed.ok) throw new OperationFailed(`'${shownPath(at)}' is not valid JSON: ${parsed.error}`);
  return { text, value: parsed.value };
}

/** A mark at the beginning that says it is UTF-8 is no part of the JSON. */
function decode(bytes: Uint8Array, at: RootedPath): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new OperationFailed(`'${shownPath(at)}' is not UTF-8 text`);
  }
}

/** A value as the bytes of a file. */
export function encodeJson(value: Value, at: RootedPath): Uint8Array {
  const bytes = Buffer.from(formatJson(value));
  if (bytes.length <= mostBytes) return bytes;
  const most = mostBytes.toLocaleString("en-US");
  throw new OperationFailed(`'${shownPath(at)}' would hold more than ${most} bytes of JSON`);
}
