import { isUtf8 } from "node:buffer";

/** The text that bytes are in UTF-8; null for bytes that are no text. */
export function textOf(bytes: Uint8Array): string | null {
  return !isUtf8(bytes) || bytes.includes(0) ? null : Buffer.from(bytes).toString();
}
