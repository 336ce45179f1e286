import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { LogKey, LogPart, OutputStream, RunLog, RunLogs } from "../../block/ports.ts";
import { makeDirectories } from "../../util/make-directories.ts";
import { frameHeader, parseFrames } from "./log-frames.ts";
import { writeAll } from "./write-all.ts";

/** Headers count too, so that many small writes make no larger file than few large ones. */
const mostBytes = 10_000_000;
const endMarker = Buffer.from("\n... the log ends here: it has reached 10 MB ...\n");
const cutMarker = Buffer.from("\n... the log ends here: it could not be written ...\n");
/** With the marker. */
const largestFile = mostBytes + 1000;

export interface RunLogsOptions {
  /** Told, once for each attempt it happens to, that its output is logged no further. */
  readonly onProblem?: (message: string) => void;
}

/** Logs whose bytes can be looked at as they lie in the files. */
export interface LogFiles extends RunLogs {
  /** Of the logs of a run. */
  keys(runId: string): readonly LogKey[];
  /** Of one log; 0 where there is none. */
  size(runId: string, key: LogKey): number;
  /** Of one log, from a position on; fewer where it ends. */
  bytes(runId: string, key: LogKey, position: number, length: number): Buffer;
  /** Makes it a log's whole content. Nobody has the log open. */
  replace(runId: string, key: LogKey, bytes: Uint8Array): void;
}

/**
 * `<directory>/<run id>/<block key>.<attempt>.log`, for their owner's eyes only. A log is written by one process at a time and read
 * by any. Every write goes to the file at once, so that it outlives us. A log that can't be written is given up: nothing that a
 * block does depends on it.
 */
export function createRunLogs(directory: string, options: RunLogsOptions = {}): LogFiles {
  const onProblem = options.onProblem ?? (() => {});
  const directoryOf = (runId: string) => join(directory, plainName(runId));
  const nameOf = ({ block, attempt }: LogKey) => `${plainName(block)}.${attempt}.log`;
  const pathOf = (runId: string, key: LogKey) => join(directoryOf(runId), nameOf(key));
  return {
    open: (runId, key) => new LogFile(directoryOf(runId), nameOf(key), onProblem),
    read: async (runId, key, position = 0) => readPart(pathOf(runId, key), position),
    // Where a frame begins is known from those before it alone.
    readEnd: async (runId, key) => readPart(pathOf(runId, key), 0).chunks,
    async sizes() {
      const runs = namesIn(directory).filter((name) => runPattern.test(name));
      return new Map(runs.map((runId) => [runId, sizeOf(directoryOf(runId))]));
    },
    remove: async (runId) => rmSync(directoryOf(runId), { recursive: true, force: true }),
    keys: (runId) => namesIn(directoryOf(runId)).flatMap(keyOf),
    size: (runId, key) => statSync(pathOf(runId, key), { throwIfNoEntry: false })?.size ?? 0,
    bytes(runId, key, position, length) {
      const fd = openSync(pathOf(runId, key), readFlags);
      try {
        return readFrom(fd, position, Math.max(0, Math.min(length, fstatSync(fd).size - position)));
      } finally {
        closeSync(fd);
      }
    },
    replace(runId, key, bytes) {
      const path = pathOf(runId, key);
      makeDirectories(directoryOf(runId), 0o700);
      writeFileSync(`${path}.new`, bytes, { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
  };
}

const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

function keyOf(name: string): LogKey[] {
  const [, block, attempt] = /^(.+)\.(\d{1,9})\.log$/.exec(name) ?? [];
  return block === undefined ? [] : [{ block, attempt: Number(attempt) }];
}

/** Whatever else lies in the directory is not ours. */
const runPattern = /^run_[0-9a-z]+$/;

function plainName(name: string): string {
  if (!/^[\w-][\w.-]*$/.test(name)) throw new RangeError(`'${name}' cannot be the name of a file`);
  return name;
}

class LogFile implements RunLog {
  readonly #directory: string;
  readonly #path: string;
  readonly #onProblem: (message: string) => void;
  #fd: number | undefined;
  #size = 0;
  #hasEnded = false;

  constructor(directory: string, name: string, onProblem: (message: string) => void) {
    this.#directory = directory;
    this.#path = join(directory, name);
    this.#onProblem = onProblem;
  }

  write(stream: OutputStream, chunk: Uint8Array): void {
    if (this.#hasEnded || chunk.length === 0) return;
    try {
      this.#append(stream, chunk);
    } catch (error) {
      this.#markCut(stream);
      this.close();
      const reason = error instanceof Error ? error.message : String(error);
      this.#onProblem(`The output of a block is logged no further in '${this.#path}': ${reason}.`);
    }
  }

  /** In the place of the frame that did not fit: on a full disk the last block of a file has room left, unless it ends just there. */
  #markCut(stream: OutputStream): void {
    if (this.#fd === undefined) return;
    try {
      ftruncateSync(this.#fd, this.#size);
      this.#appendFrame(this.#fd, stream, cutMarker, Date.now());
    } catch {
      // The warning has to do.
    }
  }

  close(): void {
    this.#hasEnded = true;
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #append(stream: OutputStream, chunk: Uint8Array): void {
    const fd = this.#fd ?? this.#open();
    const at = Date.now();
    const room = mostBytes - this.#size - frameHeader(stream, chunk.length, at).length;
    if (room > 0) this.#appendFrame(fd, stream, chunk.subarray(0, room), at);
    if (room >= chunk.length) return;
    // A log that was full when it was opened has its marker.
    if (this.#size <= mostBytes) this.#appendFrame(fd, stream, endMarker, at);
    this.close();
  }

  #appendFrame(fd: number, stream: OutputStream, bytes: Uint8Array, at: number): void {
    const frame = Buffer.concat([Buffer.from(frameHeader(stream, bytes.length, at)), bytes]);
    writeAll(fd, frame);
    this.#size += frame.length;
  }

  /** An attempt that goes on after a question, perhaps in another process, has a log already; its last frame may be cut off. */
  #open(): number {
    makeDirectories(this.#directory, 0o700);
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;
    const fd = openSync(this.#path, flags, 0o600);
    this.#fd = fd;
    const { size } = fstatSync(fd);
    if (size === 0) return fd;
    this.#size = parseFrames(readFrom(fd, 0, Math.min(size, largestFile))).position;
    ftruncateSync(fd, this.#size);
    return fd;
  }
}

/** Never throws: what can't be read holds nothing new. */
function readPart(path: string, position: number): LogPart {
  try {
    const fd = openSync(path, readFlags);
    try {
      const length = Math.min(fstatSync(fd).size - position, largestFile);
      if (length <= 0) return { chunks: [], position };
      const part = parseFrames(readFrom(fd, position, length));
      return { chunks: part.chunks, position: position + part.position };
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return { chunks: [], position: (error as NodeJS.ErrnoException).code === "ENOENT" ? 0 : position };
  }
}

function readFrom(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  for (;;) {
    const count = readSync(fd, bytes, filled, length - filled, position + filled);
    filled += count;
    if (count === 0 || filled === length) return bytes.subarray(0, filled);
  }
}

function sizeOf(directory: string): number {
  const sizes = namesIn(directory).map((name) => statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
