import { type OnReadOpts, Socket, type SocketConstructorOpts } from "node:net";
import type { Readable } from "node:stream";
import type { CapturedOutput, OutputFilter, OutputStream, ProcessRequest } from "../../block/ports.ts";
import { HeadAndTail } from "../../util/head-and-tail.ts";
import type { OutputPipe } from "./output-pipes.ts";

/**
 * All pipes are read into this one buffer: a fresh one for every read would be much garbage for a command that prints a
 * gigabyte. A read and the use of what it brought are one step, so no two reads meet in it.
 */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

/** One output stream of a process; one that goes nowhere has no source and is closed from the start. */
export class ProcessOutput {
  readonly #name: OutputStream;
  readonly #request: ProcessRequest;
  readonly #kept: HeadAndTail;
  readonly #filter: OutputFilter | undefined;
  readonly #stream: Readable | null;
  #isIgnored = false;

  constructor(name: OutputStream, source: OutputPipe | Readable | null, request: ProcessRequest) {
    this.#name = name;
    this.#request = request;
    this.#kept = new HeadAndTail(request.maxOutput);
    this.#filter = request.filterOutput?.();
    this.#stream = source === null ? null : this.#read(source);
    // A stream that cannot be read any more has said all it will say.
    this.#stream?.on("error", () => {});
  }

  #read(source: OutputPipe | Readable): Readable {
    if ("readEnd" in source) return this.#readPipe(source);
    return source.on("data", (chunk: Buffer) => this.#take(chunk));
  }

  #readPipe(pipe: OutputPipe): Socket {
    const callback = (length: number) => {
      this.#take(readBuffer.subarray(0, length));
      return true;
    };
    // The types of Node 20 know `onread` only where a socket connects; its constructor takes it just the same.
    const options: SocketConstructorOpts & { onread: OnReadOpts } = {
      fd: pipe.readEnd,
      readable: true,
      writable: false,
      onread: { buffer: readBuffer, callback },
    };
    const stream = new Socket(options);
    stream.once("close", () => pipe.release(stream.readableEnded));
    return stream.resume();
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
    return this.#stream === null || this.#stream.closed;
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
    this.#stream?.destroy();
  }
}
