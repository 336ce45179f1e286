import type { LogChunk, LogPart, OutputStream } from "../../block/ports.ts";

/**
 * The format of a log: frames one after another, each a header line `o <bytes> <milliseconds since 1970>` (`e` for standard
 * error) and then exactly that many bytes, whatever they are. A frame counts only when it is there as a whole.
 */
const letters: Readonly<Record<OutputStream, string>> = { stdout: "o", stderr: "e" };
const headerPattern = /^([oe]) (\d{1,9}) (\d{1,16})$/;
const longestHeader = 32;
const lineEnd = 0x0a;

export function frameHeader(stream: OutputStream, length: number, at: number): string {
  return `${letters[stream]} ${length} ${at}\n`;
}

/** The whole frames that the bytes begin with, and where they end. */
export function parseFrames(bytes: Buffer): LogPart {
  const chunks: LogChunk[] = [];
  let position = 0;
  for (;;) {
    const headerLength = bytes.subarray(position, position + longestHeader).indexOf(lineEnd);
    const header = bytes.toString("latin1", position, position + Math.max(headerLength, 0));
    const [, letter, length, at] = headerPattern.exec(header) ?? [];
    const start = position + headerLength + 1;
    const end = start + Number(length);
    if (letter === undefined || end > bytes.length) return { chunks, position };
    chunks.push({ stream: letter === "o" ? "stdout" : "stderr", at: Number(at), bytes: bytes.subarray(start, end) });
    position = end;
  }
}
