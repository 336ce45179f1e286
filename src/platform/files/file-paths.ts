import { isUtf8 } from "node:buffer";
import { realpathSync } from "node:fs";
import { isAbsolute } from "node:path";
import { Refusal } from "./file-problems.ts";

/**
 * Names are bytes, and mostly UTF-8. A byte that is not is written as one of the code units U+DC80 to U+DCFF, which no text has by
 * itself, so that every name in a directory can be listed, kept and used again. Each name has exactly one spelling.
 */

/** The names on the way to a path; none for the root itself. */
export function partsOf(path: string): string[] {
  if (path.includes("\0")) throw new Refusal("forbidden", "the path contains a NUL character");
  if (isAbsolute(path)) throw new Refusal("forbidden", `'${path}' is an absolute path; a relative one is needed`);
  if (hasEscapes(path) && nameOf(bytesOf(path)) !== path) {
    throw new Refusal("forbidden", `'${path}' is not a path: it contains half a character`);
  }
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw new Refusal("forbidden", `'${path}' goes up with '..', which is not allowed`);
  return parts;
}

/** A path as the functions of Node take it. */
export function systemPath(path: string): string | Buffer {
  return hasEscapes(path) ? bytesOf(path) : path;
}

/** Where upper and lower case are one, the system may tell a path in another spelling than the user. */
export function isSamePath(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => path.normalize("NFC").toLowerCase());
  return first === second;
}

export function nameOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  let name = "";
  for (let at = 0; at < bytes.length; ) {
    const length = characterLengths.find((count) => isCharacter(bytes, at, count));
    name += length === undefined ? escapeByte(bytes.readUInt8(at)) : bytes.toString("utf8", at, at + length);
    at += length ?? 1;
  }
  return name;
}

const characterLengths = [1, 2, 3, 4];

function isCharacter(bytes: Buffer, at: number, length: number): boolean {
  return at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length));
}

const firstEscape = 0xdc80;
const lastEscape = 0xdcff;

function escapeByte(byte: number): string {
  return String.fromCharCode(firstEscape - 0x80 + byte);
}

function hasEscapes(path: string): boolean {
  // A half of a pair alone is one of ours; tens of thousands of paths are asked for, and this tells it fastest.
  return !(path as WellFormed).isWellFormed();
}

/** What strings can tell since Node 20, and the types since later. */
type WellFormed = string & { isWellFormed(): boolean };

function bytesOf(path: string): Buffer {
  const characters = Array.from(path, (character) => {
    const code = character.charCodeAt(0);
    const isEscape = character.length === 1 && code >= firstEscape && code <= lastEscape;
    return isEscape ? Buffer.of(code - firstEscape + 0x80) : Buffer.from(character);
  });
  return Buffer.concat(characters);
}

/** Nothing when nothing is there. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
