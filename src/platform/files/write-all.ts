import { writeSync } from "node:fs";

/** A single write may take only some of the bytes, when the disk is nearly full. */
export function writeAll(fd: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(fd, bytes, written);
}
