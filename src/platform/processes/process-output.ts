import { openSync, readSync } from "node:fs";
import { type OnReadOpts, Socket, type SocketConstructorOpts } from "node:net";
import type { Readable } from "node:stream";
import type { CapturedOutput, OutputFilter, OutputStream, ProcessRequest } from "../../block/ports.ts";
import { HeadAndTail } from "../../util/head-and-tail.ts";
import { type OutputPipe, readEndFlags, reopen } from "./output-pipes.ts";

/**
 * All pipes are read into this one buffer: a fresh one for every read would be much garbage for a command that prints a
 * gigabyte. A read and the use of what it brought are one step, so no two reads meet in it.
 */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

/** What a command leaves unread at its end fits into its pipe; whoever writes more than that is somebody else, and still writing. */
const mostReads = 4;

/**
 * One output stream of a process; one that goes nowhere has no source and is closed from the start. A pipe is not read before it is
 * followed: most commands have ended before, and what they wrote is then read at once, which costs much less.
 */
export class ProcessOutput {
  readonly #name: OutputStream;
  readonly #request: ProcessRequest;
  readonly #kept: HeadAndTail;
  readonly #filter: OutputFilter | undefined;
  #pipe: OutputPipe | undefined;
  #stream: Readable | undefined;
  #isIgnored = false;

  constructor(name: OutputStream, source: OutputPipe | Readable | null, request: ProcessRequest) {
    this.#name = name;
    this.#request = request;
    this.#kept = new HeadAndTail(request.maxOutput);
    this.#filter = request.filterOutput?.();
    if (source === null) return;
    if ("readEnd" in source) this.#pipe = source;
    else this.#readStream(source.on("data", (chunk: Buffer) => this.#take(chunk)));
  }

  /** To be called when the process has its end of the pipe. False when that is to be tried again, for want of a descriptor. */
  follow(): boolean {
    const pipe = this.#pipe;
    if (pipe === undefined) return true;
    let fd: number;
    try {
      fd = openSync(reopen(pipe.readEnd), readEndFlags);
    } catch {
      return false;
    }
    this.#pipe = undefined;
    const callback = (length: number) => {
      this.#take(readBuffer.subarray(0, length));
      return true;
    };
    // The types of Node 20 know `onread` only where a socket connects; its constructor takes it just the same.
    const options: SocketConstructorOpts & { onread: OnReadOpts } = {
      fd,
      readable: true,
      writable: false,
      onread: { buffer: readBuffer, callback },
    };
    const stream = new Socket(options);
    stream.once("close", () => pipe.release(stream.readableEnded));
    this.#readStream(stream.resume());
    return true;
  }

  /** To be called when the process has ended. What others hold open is followed. */
  readRest(): void {
    if (this.#pipe === undefined) return;
    try {
      for (let reads = 0; reads < mostReads; reads++) {
        const length = readSync(this.#pipe.readEnd, readBuffer);
        if (length === 0) return this.#release(true);
        this.#take(readBuffer.subarray(0, length));
      }
    } catch {
      // There is nothing to read now, but there may be later.
    }
    if (!this.follow()) this.#release(false);
  }

  #readStream(stream: Readable): void {
    // A stream that cannot be read any more has said all it will say.
    this.#stream = stream.on("error", () => {});
  }

  #release(wasReadToItsEnd: boolean): void {
    this.#pipe?.release(wasReadToItsEnd);
    this.#pipe = undefined;
  }

  #take(chunk: Buffer): void {
    if (!this.#isIgnored) this.#pass(this.#filter?.write(chunk) ?? chunk);
  }

  #pass(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#kept.write(chunk);
    this.#request.onOutput?.(this.#name, chunk);
  }

  isClosed(): boolean {
    return this.#pipe === undefined && (this.#stream?.closed ?? true);
  }

  onceClosed(listener: () => void): void {
    this.#stream?.once("close", listener);
  }

  /** To be called once, when nothing more is waited for. */
  captured(): CapturedOutput {
    if (this.#filter !== undefined) this.#pass(this.#filter.end());
    return this.#kept.result();
  }

  /** Goes on reading, so that what still runs can go on writing, but keeps nothing and keeps nobody waiting. */
  ignore(): void {
    this.#isIgnored = true;
    if (this.#stream instanceof Socket) this.#stream.unref();
  }

  close(): void {
    this.#release(false);
    this.#stream?.destroy();
  }
}
