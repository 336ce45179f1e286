import { randomBytes } from "node:crypto";
import { closeSync, constants, openSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { memoryDirectories } from "../files/memory-directory.ts";
import { writeAll } from "../files/write-all.ts";

/**
 * A text a process can inherit, as an open file to read. It is a file without a name rather than one of Node's pipes, because
 * those are sockets, which `. /dev/fd/3` and `cat /dev/stdin` cannot open. The name is gone before the first byte is written.
 */
export function openInheritedText(
  text: string | Uint8Array,
  directories: readonly string[] = memoryDirectories(),
): number {
  let problem: unknown;
  for (const directory of directories) {
    try {
      return openTextIn(directory, text);
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

function openTextIn(directory: string, text: string | Uint8Array): number {
  const path = join(directory, `frond-${randomBytes(12).toString("hex")}`);
  const writing = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  let reading: number | undefined;
  try {
    try {
      reading = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    } finally {
      unlinkSync(path);
    }
    writeAll(writing, typeof text === "string" ? Buffer.from(text) : text);
    return reading;
  } catch (error) {
    if (reading !== undefined) closeSync(reading);
    throw error;
  } finally {
    closeSync(writing);
  }
}
