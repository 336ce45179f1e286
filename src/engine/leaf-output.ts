import type { OutputFilter, OutputStream, RunLog } from "../block/ports.ts";
import type { Redactor } from "./redactor.ts";

/** What a block writes, on its way to its log and to whoever listens, with the secrets taken out. */
export class LeafOutput {
  readonly #openLog: () => RunLog;
  readonly #onOutput: (stream: OutputStream, chunk: Uint8Array) => void;
  readonly #filters: Readonly<Record<OutputStream, OutputFilter | undefined>>;
  #log: RunLog | undefined;
  #isClosed = false;

  constructor(redactor: Redactor, openLog: () => RunLog, onOutput: (stream: OutputStream, chunk: Uint8Array) => void) {
    this.#openLog = openLog;
    this.#onOutput = onOutput;
    this.#filters = { stdout: redactor.stream(), stderr: redactor.stream() };
  }

  write(stream: OutputStream, chunk: Uint8Array): void {
    // A block that did not stop when told to may go on writing after its end.
    if (!this.#isClosed) this.#pass(stream, this.#filters[stream]?.write(chunk) ?? chunk);
  }

  close(): void {
    for (const stream of ["stdout", "stderr"] as const) {
      const rest = this.#filters[stream]?.end();
      if (rest !== undefined) this.#pass(stream, rest);
    }
    this.#isClosed = true;
    this.#log?.close();
  }

  #pass(stream: OutputStream, chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#log ??= this.#openLog();
    this.#log.write(stream, chunk);
    this.#onOutput(stream, chunk);
  }
}
