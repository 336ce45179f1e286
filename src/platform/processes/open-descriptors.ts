import { closeSync } from "node:fs";
import { openInheritedText } from "./inherited-text.ts";
import type { OutputPipe, OutputPipes } from "./output-pipes.ts";

/** What is opened here for a process that is to be started: it is closed when that has its own, or will never have them. */
export class OpenDescriptors {
  readonly #pipes: OutputPipes;
  readonly #opened: number[] = [];
  readonly #taken: OutputPipe[] = [];

  constructor(pipes: OutputPipes) {
    this.#pipes = pipes;
  }

  add(descriptor: number): number {
    this.#opened.push(descriptor);
    return descriptor;
  }

  openText(text: string | Uint8Array): number {
    return this.add(openInheritedText(text));
  }

  /** Nothing where there are none. It belongs to whoever reads it. */
  takePipe(): OutputPipe | undefined {
    const pipe = this.#pipes.take();
    if (pipe !== undefined) this.#taken.push(pipe);
    return pipe;
  }

  close(): void {
    this.#taken.length = 0;
    for (const descriptor of this.#opened.splice(0)) closeSync(descriptor);
  }

  /** Where nobody reads the pipes yet. */
  abandon(): void {
    for (const pipe of this.#taken) pipe.release(false);
    this.close();
  }
}
