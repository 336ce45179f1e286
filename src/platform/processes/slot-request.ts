import { engineMark } from "./engine-mark.ts";
import type { OpenDescriptors } from "./open-descriptors.ts";
import { ProcessOutput } from "./process-output.ts";
import { longestRequest, requestAddress, requestWords } from "./slot-program.ts";
import { holdDirectory, type StartRequest } from "./start-process.ts";

/**
 * Whether a slot can start it. What depends on more than paths, arguments and variables is started without one: a sandbox, an isolated
 * workspace, further descriptors, and what is to be refused for a NUL in it.
 */
export function fitsSlot(request: StartRequest): boolean {
  const { sandbox, entrance, more, onSpawned, capture } = request;
  const parts = [sandbox, entrance, more, onSpawned];
  return capture && request.file !== "" && parts.every((part) => part === undefined);
}

export interface SlotRequest {
  readonly bytes: Buffer;
  readonly stdout: ProcessOutput;
  readonly stderr: ProcessOutput;
}

/** Opens what the command is to find open. Nothing when it does not fit after all. */
export function writeSlotRequest(request: StartRequest, open: OpenDescriptors): SlotRequest | undefined {
  const { stdin, fd3, file, args, env } = request;
  const held = holdDirectory(request);
  const cwd = held === undefined ? request.cwd : pathOf(open.add(held.fd));
  const command = [file, ...args];
  const variables = Object.entries({ ...env, ...engineMark() });
  if (!variables.every(([name]) => isName(name))) return undefined;
  const [stdout, stderr] = [open.takePipe(), open.takePipe()];
  if (stdout === undefined || stderr === undefined) return undefined;
  const bytes = writeInPlace({
    command,
    variables: variables.map(([name, value]) => `${name}=${value}`),
    cwd,
    stdin: stdin === "" ? "/dev/null" : pathOf(open.openText(stdin)),
    stdout: pathOf(stdout.readEnd),
    stderr: pathOf(stderr.readEnd),
    text: fd3 === undefined ? undefined : pathOf(open.openText(fd3)),
  });
  if (bytes === undefined) return undefined;
  return {
    bytes,
    stdout: new ProcessOutput("stdout", stdout, request),
    stderr: new ProcessOutput("stderr", stderr, request),
  };
}

interface RequestParts {
  readonly command: readonly string[];
  readonly variables: readonly string[];
  readonly cwd: string;
  readonly stdin: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly text: string | undefined;
}

const wordBytes = 8;

/** The words, the two lists of addresses, each with a 0 at its end, all strings, and the first letter of the report. */
function writeInPlace({ command, variables, ...paths }: RequestParts): Buffer | undefined {
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

/** Of ours, as others see it. Once we have died, nothing is there. */
function pathOf(descriptor: number): string {
  return `/proc/${process.pid}/fd/${descriptor}`;
}

/** What a C library takes for one. */
function isName(name: string): boolean {
  return name !== "" && !name.includes("=");
}
