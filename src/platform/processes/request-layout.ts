/**
 * Where a request lies in a slot, the same in each, so that it is written with the addresses that the system asks for, and nothing has
 * to be taken apart where it is used. Programs, libraries and stacks lie elsewhere; a slot that can't have this place ends.
 */
export const requestAddress = 0x10_0000_0000;
/** Longer ones are rare, and would leave slots that are as large. */
export const longestRequest: number = 256 * 1024;
/** The words at the start of a request, of eight bytes each. But for sizes and counts they are addresses, and 0 is nothing. */
export const requestWords = [
  "size",
  "stdin",
  "stdout",
  "stderr",
  "text",
  "cwd",
  "file",
  "argv",
  "envp",
  "strings",
  "stringsSize",
  "argumentCount",
  "report",
] as const;

export interface RequestParts {
  readonly command: readonly string[];
  readonly variables: readonly string[];
  readonly cwd: string;
  readonly stdin: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly text: string | undefined;
}

const wordBytes = 8;

/**
 * The words, the two lists of addresses, each with a 0 at its end, all strings, and the first letter of the report. Nothing when that is
 * too long, or a string holds what ends one.
 */
export function layOutRequest({ command, variables, ...paths }: RequestParts): Buffer | undefined {
  const { cwd, stdin, stdout, stderr, text } = paths;
  const strings = [cwd, stdin, stdout, stderr, text ?? "", ...command, ...variables];
  if (strings.some((string) => string.includes("\0"))) return undefined;
  const joined = `${strings.join("\0")}\0`;
  const stringsAt = wordBytes * (requestWords.length + command.length + 1 + variables.length + 1);
  const size = stringsAt + Buffer.byteLength(joined) + 1;
  if (size > longestRequest) return undefined;
  const bytes = Buffer.allocUnsafe(size);
  bytes.write(joined, stringsAt);
  bytes.write("s", size - 1);
  const addresses: number[] = [];
  for (let at = stringsAt; at < size - 1; at = bytes.indexOf(0, at) + 1) addresses.push(requestAddress + at);
  const [cwdAt = 0, stdinAt = 0, stdoutAt = 0, stderrAt = 0, textAt = 0, commandAt = 0] = addresses;
  const envp = [...addresses.splice(addresses.length - variables.length), 0];
  const argv = [...addresses.splice(addresses.length - command.length), 0];
  const report = requestAddress + size - 1;
  const words: Record<(typeof requestWords)[number], number> = {
    size,
    stdin: stdinAt,
    stdout: stdoutAt,
    stderr: stderrAt,
    text: text === undefined ? 0 : textAt,
    cwd: cwdAt,
    // A name is looked for in PATH, and never in the directory that the command is to be in.
    file: command[0]?.includes("/") ? commandAt : 0,
    argv: requestAddress + wordBytes * requestWords.length,
    envp: requestAddress + wordBytes * (requestWords.length + argv.length),
    strings: commandAt,
    // Without the end of the last one.
    stringsSize: report - 1 - commandAt,
    argumentCount: command.length,
    report,
  };
  let at = 0;
  for (const word of [...requestWords.map((name) => words[name]), ...argv, ...envp]) {
    bytes.writeUInt32LE(word % 2 ** 32, at);
    bytes.writeUInt32LE(Math.floor(word / 2 ** 32), at + 4);
    at += wordBytes;
  }
  return bytes;
}
