import type { BlockFiles } from "../../block/block-files.ts";
import type { FilePlace } from "../../block/ports.ts";
import type { Value } from "../../expression/value.ts";
import { OperationFailed, orFail } from "../files/file-operation.ts";
import { shownPath } from "../files/places.ts";
import { formatJson } from "./format-json.ts";
import { parseJson } from "./parse-json.ts";

const mostBytes = 10_000_000;

export interface JsonFile {
  readonly text: string;
  readonly value: Value;
}

/** A file that exists, as JSON. */
export async function readJsonFile(files: BlockFiles, place: FilePlace): Promise<JsonFile> {
  const { bytes } = orFail(await files.read(place, mostBytes));
  const text = decode(bytes, place);
  const parsed = parseJson(text);
  if (!parsed.ok) throw new OperationFailed(`'${shownPath(place)}' is not valid JSON: ${parsed.error}`);
  return { text, value: parsed.value };
}

/** A mark at the beginning that says it is UTF-8 is no part of the JSON. */
function decode(bytes: Uint8Array, place: FilePlace): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new OperationFailed(`'${shownPath(place)}' is not UTF-8 text`);
  }
}

/** A value as the bytes of a file. */
export function encodeJson(value: Value, place: FilePlace): Uint8Array {
  const bytes = Buffer.from(formatJson(value));
  if (bytes.length <= mostBytes) return bytes;
  const most = mostBytes.toLocaleString("en-US");
  throw new OperationFailed(`'${shownPath(place)}' would hold more than ${most} bytes of JSON`);
}
